package io.syncguard.spi;

/**
 * What was found out about a store's fitness, in words for its operator.
 *
 * @param subject what was looked at, such as {@code eviction}; one word
 * @param level how well it is
 * @param detail what was found
 * @param advice what to do about it; empty if all is well
 */
public record Finding(String subject, Level level, String detail, String advice) {

  /** How well it is. */
  public enum Level {
    /** All is well. */
    OK,
    /** It works, but not as well as it could, or only until something else fails. */
    WARNING,
    /** It does not work, or breaks its promises without anything else failing. */
    FAILURE
  }

  /** Returns that all is well. */
  public static Finding ok(String subject, String detail) {
    return new Finding(subject, Level.OK, detail, "");
  }

  /** Returns that something deserves attention. */
  public static Finding warning(String subject, String detail, String advice) {
    return new Finding(subject, Level.WARNING, detail, advice);
  }

  /** Returns that something is broken. */
  public static Finding failure(String subject, String detail, String advice) {
    return new Finding(subject, Level.FAILURE, detail, advice);
  }
}
