package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a store's counters and rate limiters.
 *
 * @param type which operation
 * @param result whether it did what was asked
 * @param reason why it did not
 * @param errorCode with what it failed, if it threw
 * @param elapsed how long it took
 * @param keyHash the hash of the counter's key or of the limiter's name
 * @param key the raw key or name, only where {@link Telemetry} was told to include it
 */
public record LimitEvent(
    Type type,
    LockEvent.Result result,
    @Nullable Reason reason,
    SyncGuardException.@Nullable Code errorCode,
    Duration elapsed,
    String keyHash,
    @Nullable String key) {

  /** Which operation. */
  public enum Type {
    /** An increment of a counter. */
    INCREMENT("increment"),
    /** A look at a counter. */
    CURRENT("current"),
    /** The end of a counter's window before its time. */
    RESET("reset"),
    /** A question to a rate limiter. */
    ACQUIRE("acquire");

    private final String label;

    Type(String label) {
      this.label = label;
    }

    /** Returns the name for metrics and logs. */
    public String label() {
      return label;
    }
  }

  /** Why it did not do what was asked. */
  public enum Reason {
    /** There were as many as are allowed. */
    LIMITED("limited"),
    /** The counter has no window under way. */
    NOT_FOUND("not-found");

    private final String label;

    Reason(String label) {
      this.label = label;
    }

    /** Returns the name for metrics and logs. */
    public String label() {
      return label;
    }
  }

  LimitEvent withRaw(String raw) {
    return new LimitEvent(type, result, reason, errorCode, elapsed, keyHash, raw);
  }
}
