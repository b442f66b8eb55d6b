package io.syncguard;

import org.jspecify.annotations.Nullable;

/**
 * What went wrong, for every primitive and every store.
 *
 * <p>Contention, absence and expiry are results, not exceptions. The {@link #code()} says what kind
 * of failure it was; the message says what to do and carries keys and ids only as hashes.
 */
public class SyncGuardException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The kinds of failure, the same for every store. */
  public enum Code {
    /** The store cannot be reached or cannot serve now; trying again later may help. */
    SERVICE_UNAVAILABLE,
    /** The store refused the credentials, or the user has too few rights. */
    AUTH_FAILED,
    /** An argument, a setting or a stored value is unusable; trying again will not help. */
    INVALID_ARGUMENT,
    /** The store asks its clients to slow down. */
    RATE_LIMITED,
    /** The store did not answer in time. */
    NETWORK_TIMEOUT,
    /** A waiting acquisition ran out of time or of retries. */
    ACQUISITION_TIMEOUT,
    /** The caller cancelled, or its thread was interrupted. */
    ABORTED,
    /**
     * A lock was lost while a task ran under it; see {@link io.syncguard.lock.LockLostException}.
     */
    LOCK_LOST,
    /** Something unexpected, such as a damaged record or an exhausted fence counter. */
    INTERNAL
  }

  private final Code code;
  private final transient Subject subject;
  private final boolean outcomeUnknown;
  private final boolean closed;

  private SyncGuardException(
      Code code,
      String message,
      Subject subject,
      @Nullable Throwable cause,
      boolean outcomeUnknown,
      boolean closed) {
    super(message, cause);
    this.code = code;
    this.subject = subject;
    this.outcomeUnknown = outcomeUnknown;
    this.closed = closed;
  }

  /** A failure that is about nothing in particular. */
  public SyncGuardException(Code code, String message) {
    this(code, message, Subject.NONE, null);
  }

  /** A failure after which the store is known to be unchanged. */
  public SyncGuardException(Code code, String message, Subject subject, @Nullable Throwable cause) {
    this(code, message, subject, cause, false, false);
  }

  /** A failure after which it is not known whether the store carried the operation out. */
  public static SyncGuardException withUnknownOutcome(
      Code code, String message, Subject subject, @Nullable Throwable cause) {
    return new SyncGuardException(code, message, subject, cause, true, false);
  }

  /** Returns an {@link Code#INVALID_ARGUMENT} failure. */
  public static SyncGuardException invalidArgument(String message) {
    return new SyncGuardException(Code.INVALID_ARGUMENT, message);
  }

  /**
   * Returns a {@link Code#SERVICE_UNAVAILABLE} failure that stays: the guard or its store has been
   * closed, and trying again will not help.
   */
  public static SyncGuardException closed(String message, @Nullable Throwable cause) {
    return new SyncGuardException(
        Code.SERVICE_UNAVAILABLE, message, Subject.NONE, cause, false, true);
  }

  /** Returns what kind of failure this is. */
  public Code code() {
    return code;
  }

  /** Returns what this is about, with raw identifiers. It is not serialized: they may be secret. */
  public Subject subject() {
    return subject == null ? Subject.NONE : subject;
  }

  /** Returns the same failure with the stack of this thread, which it matters to. */
  public SyncGuardException fromHere() {
    String text = String.valueOf(getMessage());
    return new SyncGuardException(code, text, subject(), this, outcomeUnknown, closed);
  }

  /** Returns whether the store may have carried the operation out although no answer came. */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /**
   * Returns whether the store failed in a way that passes, so that the same operation may succeed
   * when it is tried again. A closed guard does not come back, so it is not transient. Nor is
   * {@link Code#ACQUISITION_TIMEOUT}: the store works, and the holder kept the lock for longer than
   * the caller would wait. To wait again may well succeed, but whether to is the caller's decision.
   */
  public boolean isTransient() {
    return !closed
        && switch (code) {
          case SERVICE_UNAVAILABLE, NETWORK_TIMEOUT, RATE_LIMITED -> true;
          default -> false;
        };
  }

  /**
   * Returns the code and the message, and the raw key only where {@link KeyHash#label} shows it.
   */
  @Override
  @SuppressWarnings(
      "OverrideThrowableToString") // The code is for traces; the message stands alone.
  public String toString() {
    String text = getClass().getName() + " [" + code + "]: " + getMessage();
    String name = subject().name();
    return name != null && KeyHash.showsRawKeys() ? text + " (key " + name + ")" : text;
  }
}
