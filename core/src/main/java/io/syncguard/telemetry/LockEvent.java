package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a store's locks.
 *
 * @param type which operation
 * @param result whether it did what was asked
 * @param reason why it did not, where the store could tell without asking again
 * @param errorCode with what it failed, if it threw
 * @param elapsed how long it took
 * @param keyHash the hash of its key, if it had one
 * @param lockIdHash the hash of its lockId, if it had one
 * @param key the raw key, only where {@link Telemetry} was told to include it
 * @param lockId the raw lockId, only where {@link Telemetry} was told to include it
 */
public record LockEvent(
    Type type,
    Result result,
    @Nullable Reason reason,
    SyncGuardException.@Nullable Code errorCode,
    Duration elapsed,
    @Nullable String keyHash,
    @Nullable String lockIdHash,
    @Nullable String key,
    @Nullable String lockId) {

  /** Which operation. */
  public enum Type {
    /** An attempt to take a lock. */
    ACQUIRE("acquire"),
    /** A release. */
    RELEASE("release"),
    /** An extension. */
    EXTEND("extend"),
    /** A question whether a key is locked. */
    IS_LOCKED("isLocked"),
    /** A look at a lock, by key or by id. */
    LOOKUP("lookup");

    private final String label;

    Type(String label) {
      this.label = label;
    }

    /** Returns the name that SyncGuard clients in every language use. */
    public String label() {
      return label;
    }
  }

  /** Whether it did what was asked. */
  public enum Result {
    /** It did; for a question, the answer was yes. */
    OK("ok"),
    /** It did not; for a question, the answer was no. */
    FAIL("fail");

    private final String label;

    Result(String label) {
      this.label = label;
    }

    /** Returns the name that SyncGuard clients in every language use. */
    public String label() {
      return label;
    }
  }

  /** Why it did not. */
  public enum Reason {
    /** Somebody else holds the lock. */
    LOCKED("locked"),
    /** The lock had expired. */
    EXPIRED("expired"),
    /** There is no such lock. */
    NOT_FOUND("not-found");

    private final String label;

    Reason(String label) {
      this.label = label;
    }

    /** Returns the name that SyncGuard clients in every language use. */
    public String label() {
      return label;
    }
  }

  LockEvent withRaw(@Nullable String rawKey, @Nullable String rawLockId) {
    return new LockEvent(
        type, result, reason, errorCode, elapsed, keyHash, lockIdHash, rawKey, rawLockId);
  }
}
