package io.syncguard.semaphore;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Continuations;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Holdings;
import io.syncguard.internal.Releases;
import io.syncguard.lock.ReleaseErrorHandler;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the semaphores of one guard have in common: the backend, time, heartbeats and releases. */
final class SemaphoreEngine {

  static final Logger LOG = LoggerFactory.getLogger(Semaphores.class);

  private final SemaphoreBackend backend;
  private final TimeSource time;
  private final ReleaseErrorHandler onReleaseError;
  private final Continuations continuations;
  private final Gate gate;
  private final Gate entrance;
  private final Holdings<Permit> holdings;
  private final Heartbeats heartbeats;
  private final Releases<PermitReference, PermitReleaseResult> releases;

  SemaphoreEngine(SemaphoreBackend backend, GuardOptions options) {
    this.backend = backend;
    this.time = options.timeSource();
    this.onReleaseError = options.onReleaseError();
    this.continuations = new Continuations(options);
    this.gate = new Gate(continuations);
    this.entrance = new Gate(continuations);
    this.holdings = new Holdings<>("permits", time, Permit::isInUse, Permit::takeBack);
    this.heartbeats = new Heartbeats(backend, time);
    this.releases =
        new Releases<>(
            new PermitRelease(backend, heartbeats), time, options.disposeTimeout(), gate);
  }

  SemaphoreBackend backend() {
    return backend;
  }

  TimeSource time() {
    return time;
  }

  ReleaseErrorHandler onReleaseError() {
    return onReleaseError;
  }

  /** Returns where code of the user's runs. */
  Continuations continuations() {
    return continuations;
  }

  Gate gate() {
    return gate;
  }

  /** Returns what lets permits be acquired; it is closed before the gate. */
  Gate entrance() {
    return entrance;
  }

  /** Returns what this guard holds or is acquiring. */
  Holdings<Permit> holdings() {
    return holdings;
  }

  /**
   * Lets nothing be acquired any more, ends waiting, and has what is held released, by its holder
   * within the time or else by the guard; returns at once.
   */
  CompletionStage<Void> close(Duration timeForTasks) {
    entrance.close();
    heartbeats.wakeWaiters();
    return holdings.close(timeForTasks);
  }

  /**
   * Lets nothing be acquired any more and ends waiting, but leaves what is held; returns at once.
   *
   * @return a stage that completes when all who waited have left the queue
   */
  CompletionStage<Void> endWaits() {
    entrance.close();
    heartbeats.wakeWaiters();
    return holdings.endAcquisitions();
  }

  Heartbeats heartbeats() {
    return heartbeats;
  }

  Releases<PermitReference, PermitReleaseResult> releases() {
    return releases;
  }

  Permit permit(
      PermitReference reference,
      SemaphoreOptions options,
      PermitAttempt.Held held,
      long requestedAt) {
    Permit permit = new Permit(this, reference, options, held, requestedAt);
    permit.startBeating();
    permit.holding().enter();
    return permit;
  }

  /** Returns what an attempt that does not wait comes to. */
  Optional<Permit> result(
      PermitAttempt attempt, PermitReference reference, Terms terms, long requestedAt) {
    if (attempt instanceof PermitAttempt.Held held) {
      Permit permit = permit(reference, terms.options(), held, requestedAt);
      if (permit.isHeld()) {
        return Optional.of(permit);
      }
      permit.releasing();
      throw grantedTooLate(reference);
    }
    if (attempt instanceof PermitAttempt.LimitDiffers differs) {
      throw terms.limitDiffers(differs.limit());
    }
    return Optional.empty();
  }

  /** Returns what a permit comes to whose time was over when it arrived. */
  static SyncGuardException grantedTooLate(PermitReference permit) {
    return SyncGuardException.withUnknownOutcome(
        SyncGuardException.Code.NETWORK_TIMEOUT,
        "The store granted a permit of the semaphore "
            + permit.name().label()
            + ", but the answer came when its time was over; the slot is freed in the background."
            + " Choose a longer ttl and heartbeat, or find out why the store is slow",
        permit.context(),
        null);
  }

  /** Returns what to fail with when a single attempt failed, and frees what it may have left. */
  SyncGuardException abandon(Throwable thrown, PermitReference permit, Duration life) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, permit.context());
    if (failure.isOutcomeUnknown()) {
      releases.afterAbandonedAcquisition(permit, life);
    }
    return failure;
  }

  /**
   * Ends waiting and background work; permits that are held are lost when heartbeats are missed.
   */
  void close() {
    entrance.close();
    gate.close();
    releases.close();
    heartbeats.close();
  }
}
