package io.syncguard.internal.semaphore;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.GuardContext;
import io.syncguard.internal.hold.Holdings;
import io.syncguard.internal.hold.Releases;
import io.syncguard.internal.operation.Operations;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.semaphore.Semaphores;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the semaphores of one guard have in common: heartbeats, what is held, releases. */
public final class SemaphoreEngine {

  static final Logger LOG = LoggerFactory.getLogger(Semaphores.class);

  private final GuardContext guard;
  private final Holdings holdings;
  private final Heartbeats heartbeats;
  private final Releases<PermitReference, PermitReleaseResult> releases;

  /** Works for the semaphores of this guard. */
  public SemaphoreEngine(GuardContext guard) {
    this.guard = guard;
    this.holdings = new Holdings("permits", guard.time());
    this.heartbeats = new Heartbeats(guard.operations(), guard.time());
    this.releases =
        new Releases<>(
            new PermitRelease(guard.operations(), heartbeats),
            guard.time(),
            guard.disposeTimeout(),
            guard.gate());
  }

  GuardContext guard() {
    return guard;
  }

  Operations operations() {
    return guard.operations();
  }

  TimeSource time() {
    return guard.time();
  }

  /** Returns what lets permits be acquired; it is closed before the gate. */
  Gate entrance() {
    return guard.entrance();
  }

  /** Returns what this guard holds or is acquiring. */
  Holdings holdings() {
    return holdings;
  }

  /**
   * Ends waiting, and has what is held released, by its holder within the time or else by the
   * guard; returns at once. To be called when nothing can be acquired any more.
   */
  public CompletionStage<Void> close(Duration timeForTasks) {
    return holdings.close(timeForTasks);
  }

  /**
   * Ends waiting, but leaves what is held; returns at once. To be called when nothing can be
   * acquired any more.
   *
   * @return a stage that completes when all waiters have left the queue
   */
  public CompletionStage<Void> endWaits() {
    return holdings.endAcquisitions();
  }

  Heartbeats heartbeats() {
    return heartbeats;
  }

  Releases<PermitReference, PermitReleaseResult> releases() {
    return releases;
  }

  HeldPermit permit(
      PermitReference reference,
      SemaphoreOptions options,
      PermitAttempt.Held held,
      long requestedAt) {
    HeldPermit permit = new HeldPermit(this, reference, options, held, requestedAt);
    permit.startBeating();
    permit.enter();
    return permit;
  }

  /** Returns a permit that the store has told of, and keeps until then for it to be confirmed. */
  HeldPermit permitKeptUntil(
      long keptUntil,
      PermitReference reference,
      SemaphoreOptions options,
      PermitAttempt.Held held) {
    HeldPermit permit = new HeldPermit(this, reference, options, held, time().nanoTime());
    permit.startBeatingBefore(keptUntil);
    permit.enter();
    return permit;
  }

  SemaphoreOperation.Resize resize(Terms terms, int newLimit) {
    int checked = operations().check(terms.subject(), "resize", () -> Terms.checkedLimit(newLimit));
    return new SemaphoreOperation.Resize(terms.name(), checked);
  }

  /** Returns what an attempt that does not wait comes to. */
  Optional<Permit> result(
      PermitAttempt attempt, PermitReference reference, Terms terms, long requestedAt) {
    if (attempt instanceof PermitAttempt.Held held) {
      HeldPermit permit = permit(reference, terms.options(), held, requestedAt);
      if (permit.isHeld()) {
        return Optional.of(permit);
      }
      permit.giveBack();
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
        permit.subject(),
        null);
  }

  /** Returns what to fail with when a single attempt failed, and frees what it may have left. */
  SyncGuardException abandon(Throwable thrown, PermitReference permit, Duration life) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, permit.subject());
    if (failure.isOutcomeUnknown()) {
      releases.afterAbandonedAcquisition(permit, life);
    }
    return failure;
  }

  /**
   * Ends waiting and background work; permits that are held are lost when heartbeats are missed.
   */
  public void close() {
    releases.close();
    heartbeats.close();
  }
}
