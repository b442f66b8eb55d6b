package io.syncguard.semaphore;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.AttemptTime;
import io.syncguard.internal.Failures;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One caller's way to a permit: when to ask, what an answer means, when to give up. It neither
 * blocks nor asks the store itself; {@link BlockingPermitWait} and {@link AsyncPermitWait} do so on
 * its behalf. Only {@link #hint} may be called by any thread.
 */
final class PermitAcquisition {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final SemaphoreEngine engine;
  private final TimeSource time;
  private final Terms terms;
  private final Duration maxWait;
  private final Runnable wakeUp;
  private final long startedAt;
  private final long deadline;

  private PermitReference permit;
  private @Nullable PermitWatch watch;
  private @Nullable Waiter waiter;
  private boolean attempted;
  private boolean last;
  private long attemptedAt;
  private boolean inDoubt;
  private long inDoubtSince;
  private @Nullable SyncGuardException lastFailure;
  private Duration pause = FIRST_PAUSE;
  private long nextAttemptAt;
  private volatile boolean hinted;

  PermitAcquisition(SemaphoreEngine engine, Terms terms, Duration maxWait, Runnable wakeUp) {
    this.engine = engine;
    this.time = engine.time();
    this.terms = terms;
    this.maxWait = SemaphoreOptions.checkedWait(maxWait);
    this.wakeUp = wakeUp;
    this.startedAt = time.nanoTime();
    this.deadline = startedAt + TimeSource.saturatedNanos(maxWait);
    this.permit = newPermit();
  }

  private PermitReference newPermit() {
    return new PermitReference(terms.name(), PermitId.random());
  }

  /** Has the state asked again: something may have changed. */
  private void hint() {
    hinted = true;
    wakeUp.run();
  }

  /** Returns how long to sleep before the next attempt; zero if it is due now. */
  long napNanos() {
    long now = time.nanoTime();
    long untilDeadline = deadline - now;
    if (untilDeadline <= 0) {
      last = true;
      return 0;
    }
    if (hinted || !attempted) {
      return 0;
    }
    return lastFailure == null
        ? untilDeadline
        : Math.max(0, Math.min(untilDeadline, nextAttemptAt - now));
  }

  /** Notes that an attempt begins and returns what to ask the store. */
  PermitRequest attempt() {
    if (watch == null && !last) {
      watch = engine.backend().watch(permit, this::hint).orElse(null);
    }
    hinted = false;
    attempted = true;
    attemptedAt = time.nanoTime();
    Duration limit = AttemptTime.within(maxWait, deadline - attemptedAt);
    return terms.request(permit, !last, watch != null, limit);
  }

  /** Takes the store's answer; returns the permit, or null if the wait goes on. */
  @Nullable Permit answered(PermitAttempt answer) {
    lastFailure = null;
    pause = FIRST_PAUSE;
    if (answer instanceof PermitAttempt.Held held) {
      return held(held);
    }
    if (answer instanceof PermitAttempt.LimitDiffers differs) {
      stopWaiting();
      throw terms.limitDiffers(differs.limit());
    }
    if (answer instanceof PermitAttempt.Busy) {
      stopWaiting();
      throw timedOut();
    }
    if (inDoubt) {
      inDoubtSince = attemptedAt;
    }
    keepPlace();
    return null;
  }

  private @Nullable Permit held(PermitAttempt.Held held) {
    stopWaiting();
    closeWatch();
    long heldSince = attemptedAt - held.age().toNanos();
    Permit acquired =
        engine.permit(
            permit, terms.options(), held, inDoubt ? Math.min(inDoubtSince, heldSince) : heldSince);
    if (acquired.isHeld()) {
      return acquired;
    }
    // Its time was over before we learned of it: that is no permit to work under.
    acquired.releasing();
    if (last) {
      throw SemaphoreEngine.grantedTooLate(permit);
    }
    inDoubt = false;
    attempted = false;
    permit = newPermit();
    return null;
  }

  private void keepPlace() {
    if (waiter == null) {
      waiter = new Waiter(permit, terms.options(), watch != null, attemptedAt, this::hint);
      engine.heartbeats().add(waiter);
    }
  }

  /** Takes a failed attempt; throws if the wait is over, otherwise it goes on. */
  void failed(Throwable thrown) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, permit.context());
    if (failure.isOutcomeUnknown() && !inDoubt) {
      inDoubt = true;
      inDoubtSince = attemptedAt;
    }
    if (last || !failure.isTransient() || time.nanoTime() - deadline >= 0) {
      // Closing pulls the store away from under those who ask it, who then fail in all manner of
      // ways.
      engine.entrance().throwIfClosed();
      throw failure;
    }
    lastFailure = failure;
    nextAttemptAt = time.nanoTime() + pause.toNanos();
    Duration doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }

  private SyncGuardException timedOut() {
    Duration waited = Duration.ofNanos(time.nanoTime() - startedAt);
    return new SyncGuardException(
        Code.ACQUISITION_TIMEOUT,
        "Could not acquire a permit of the semaphore "
            + terms.name().label()
            + " within "
            + maxWait
            + " (waited "
            + waited.toMillis()
            + " ms): all slots are taken",
        new SyncGuardException.Context(terms.name().value(), null),
        null);
  }

  /**
   * Must be called when the wait ends without a permit: it leaves the queue at once.
   *
   * @param left runs when the store has been asked for that, if there was anything to ask for
   */
  void giveUp(Runnable left) {
    boolean queued = waiter != null;
    stopWaiting();
    closeWatch();
    Duration life = terms.options().heartbeatTimeout();
    if (inDoubt) {
      engine.releases().afterAbandonedAcquisition(permit, life, left);
    } else if (queued) {
      engine.releases().inBackground(permit, life, left);
    } else {
      left.run();
    }
  }

  private void stopWaiting() {
    if (waiter != null) {
      engine.heartbeats().remove(waiter);
      waiter = null;
    }
  }

  private void closeWatch() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}
