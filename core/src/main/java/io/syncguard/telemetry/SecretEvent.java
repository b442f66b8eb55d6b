package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a store's secrets.
 *
 * @param type which operation
 * @param result whether it did what was asked
 * @param reason why it did not
 * @param errorCode with what it failed, if it threw
 * @param elapsed how long it took
 * @param idHash the hash of the secret's id
 * @param id the raw id, only where {@link Telemetry} was told to include it
 */
public record SecretEvent(
    Type type,
    LockEvent.Result result,
    @Nullable Reason reason,
    SyncGuardException.@Nullable Code errorCode,
    Duration elapsed,
    String idHash,
    @Nullable String id) {

  /** Which operation. */
  public enum Type {
    /** A secret was stored. */
    PUT("put"),
    /** A view was counted, or there was nothing to view. */
    VIEW("view"),
    /** A look at a secret without revealing it. */
    PEEK("peek"),
    /** A secret was destroyed. */
    BURN("burn");

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
    /** There is no such secret: it is used up, burned, expired, or never was. */
    NOT_FOUND("not-found"),
    /** The secret is sealed with another key, or one of the two has no key. */
    WRONG_KEY("wrong-key"),
    /** There is a secret under the id that another was to be stored under. */
    EXISTS("exists");

    private final String label;

    Reason(String label) {
      this.label = label;
    }

    /** Returns the name for metrics and logs. */
    public String label() {
      return label;
    }
  }

  SecretEvent withRaw(String raw) {
    return new SecretEvent(type, result, reason, errorCode, elapsed, idHash, raw);
  }
}
