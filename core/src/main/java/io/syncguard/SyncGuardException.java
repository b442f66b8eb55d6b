package io.syncguard;

import org.jspecify.annotations.Nullable;

/**
 * What went wrong, for every primitive and every store.
 *
 * <p>Contention, absence and expiry are results, not exceptions. The {@link #code()} says what kind
 * of failure it was; the message says what to do and carries keys and ids only as hashes.
 */
public final class SyncGuardException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The kinds of failure, the same for every store. */
  public enum Code {
    /** The store cannot be reached or cannot serve now; trying again later may help. */
    SERVICE_UNAVAILABLE,
    /** The store refused our credentials or our rights. */
    AUTH_FAILED,
    /** An argument, a setting or a stored value is unusable; trying again will not help. */
    INVALID_ARGUMENT,
    /** The store asks us to slow down. */
    RATE_LIMITED,
    /** The store did not answer in time. */
    NETWORK_TIMEOUT,
    /** A waiting acquisition ran out of time or of retries. */
    ACQUISITION_TIMEOUT,
    /** The caller cancelled, or its thread was interrupted. */
    ABORTED,
    /** Something unexpected, such as a damaged record or an exhausted fence counter. */
    INTERNAL
  }

  /**
   * The raw identifiers that a failure is about; its {@code toString} shows their hashes only.
   *
   * @param key the user's key, if the operation had one
   * @param lockId the lock id, if the operation had one
   */
  public record Context(@Nullable String key, @Nullable String lockId) {

    /** A failure that is about no particular key. */
    public static final Context NONE = new Context(null, null);

    @Override
    public String toString() {
      return "Context[keyHash="
          + (key == null ? "none" : KeyHash.of(key))
          + ", lockIdHash="
          + (lockId == null ? "none" : KeyHash.of(lockId))
          + "]";
    }
  }

  private final Code code;
  private final transient Context context;
  private final boolean outcomeUnknown;

  private SyncGuardException(
      Code code,
      String message,
      Context context,
      @Nullable Throwable cause,
      boolean outcomeUnknown) {
    super(message, cause);
    this.code = code;
    this.context = context;
    this.outcomeUnknown = outcomeUnknown;
  }

  /** A failure that is about no particular key. */
  public SyncGuardException(Code code, String message) {
    this(code, message, Context.NONE, null);
  }

  /** A failure after which the store is known to be unchanged. */
  public SyncGuardException(Code code, String message, Context context, @Nullable Throwable cause) {
    this(code, message, context, cause, false);
  }

  /** A failure after which nobody knows whether the store carried the operation out. */
  public static SyncGuardException withUnknownOutcome(
      Code code, String message, Context context, @Nullable Throwable cause) {
    return new SyncGuardException(code, message, context, cause, true);
  }

  /** Returns an {@link Code#INVALID_ARGUMENT} failure. */
  public static SyncGuardException invalidArgument(String message) {
    return new SyncGuardException(Code.INVALID_ARGUMENT, message);
  }

  /** Returns what kind of failure this is. */
  public Code code() {
    return code;
  }

  /** Returns the identifiers this is about. It is not serialized: they may be secret. */
  public Context context() {
    return context == null ? Context.NONE : context;
  }

  /** Returns whether the store may have carried the operation out although we got no answer. */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /** Returns whether the same operation may succeed when it is tried again. */
  public boolean isTransient() {
    return switch (code) {
      case SERVICE_UNAVAILABLE, NETWORK_TIMEOUT, RATE_LIMITED -> true;
      default -> false;
    };
  }
}
