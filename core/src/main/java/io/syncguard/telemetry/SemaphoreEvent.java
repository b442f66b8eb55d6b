package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a store's semaphores.
 *
 * @param type which operation
 * @param result whether it did what was asked
 * @param reason why it did not
 * @param errorCode with what it failed, if it threw
 * @param elapsed how long it took
 * @param nameHash the hash of the semaphore's name, if it was about one
 * @param permitIdHash the hash of the permit's id, if it was about one
 * @param permits how many permits it was about: more than one for a heartbeat, 0 for a look
 * @param name the raw name, only where {@link Telemetry} was told to include it
 * @param permitId the raw id, only where {@link Telemetry} was told to include it
 */
public record SemaphoreEvent(
    Type type,
    LockEvent.Result result,
    @Nullable Reason reason,
    SyncGuardException.@Nullable Code errorCode,
    Duration elapsed,
    @Nullable String nameHash,
    @Nullable String permitIdHash,
    int permits,
    @Nullable String name,
    @Nullable String permitId) {

  /** Which operation. */
  public enum Type {
    /** An attempt to get a slot, a place in the queue, or to confirm a grant. */
    ACQUIRE("acquire"),
    /** Giving up a slot or a place in the queue. */
    RELEASE("release"),
    /** Heartbeats of waiters and holders. */
    PING("ping"),
    /** A change of the limit. */
    RESIZE("resize"),
    /** A look at how one or all semaphores are used. */
    STATS("stats");

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
    /** There is no slot yet; the permit is in the queue. */
    QUEUED("queued"),
    /** There is no slot, and the permit did not want to wait any longer. */
    BUSY("busy"),
    /** The name is in use with another limit. */
    LIMIT_DIFFERS("limit-differs"),
    /** The store does not know the permit, or nobody uses the name. */
    NOT_FOUND("not-found"),
    /** Not all of those whose heart beats are known to the store any more. */
    LOST("lost");

    private final String label;

    Reason(String label) {
      this.label = label;
    }

    /** Returns the name for metrics and logs. */
    public String label() {
      return label;
    }
  }

  SemaphoreEvent withRaw(@Nullable String rawName, @Nullable String rawPermitId) {
    return new SemaphoreEvent(
        type,
        result,
        reason,
        errorCode,
        elapsed,
        nameHash,
        permitIdHash,
        permits,
        rawName,
        rawPermitId);
  }
}
