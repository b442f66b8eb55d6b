package io.syncguard.internal.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.AttemptTime;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Lifetime;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
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
  private final CancelSignal signal;
  private final Runnable wakeUp;
  private final long startedAt;
  private final long deadline;

  private PermitReference permit;
  private @Nullable Watch watch;
  private @Nullable QueuedPermit waiter;
  private boolean attempted;
  private boolean last;
  private long attemptedAt;
  private boolean inDoubt;
  private long inDoubtSince;
  private @Nullable SyncGuardException lastFailure;
  private Duration pause = FIRST_PAUSE;
  private long nextAttemptAt;
  private volatile boolean hinted;

  PermitAcquisition(
      SemaphoreEngine engine, Terms terms, Duration maxWait, CancelSignal signal, Runnable wakeUp) {
    this.engine = engine;
    this.time = engine.time();
    this.terms = terms;
    this.maxWait =
        engine.operations().check(terms.subject(), "acquire", () -> Lifetime.checkWait(maxWait));
    this.signal = signal;
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
  SemaphoreOperation.Acquire attempt() {
    if (watch == null && !last) {
      watch = engine.guard().store().semaphores().watch(permit, this::hint).orElse(null);
    }
    hinted = false;
    attempted = true;
    attemptedAt = time.nanoTime();
    return terms.request(permit, !last, watch != null);
  }

  /** Returns how long the store may take to answer an attempt that begins now. */
  Call call() {
    return Call.of(signal).within(AttemptTime.within(maxWait, deadline - time.nanoTime()));
  }

  /** Passes unless the guard takes no acquisitions any more, or this one was called off. */
  void pass(Runnable entrance) {
    engine.operations().pass(terms.subject(), "acquire", entrance);
  }

  /** Reports that the wait is over, without a failure if a permit was granted. */
  void reportEnd(@Nullable Throwable failure) {
    engine.guard().waited(terms.subject(), failure, startedAt);
  }

  /** Takes the store's answer; returns the permit, or null if the wait goes on. */
  @Nullable HeldPermit answered(PermitAttempt answer) {
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

  private @Nullable HeldPermit held(PermitAttempt.Held held) {
    stopWaiting();
    closeWatch();
    long heldSince = attemptedAt - held.age().toNanos();
    HeldPermit acquired =
        engine.permit(
            permit, terms.options(), held, inDoubt ? Math.min(inDoubtSince, heldSince) : heldSince);
    if (acquired.isHeld()) {
      return acquired;
    }
    // Its time was over before we learned of it: that is no permit to work under.
    acquired.giveBack();
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
      waiter = new QueuedPermit(permit, terms.options(), watch != null, attemptedAt, this::hint);
      engine.heartbeats().add(waiter);
    }
  }

  /** Takes a failed attempt; throws if the wait is over, otherwise it goes on. */
  void failed(Throwable thrown) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, permit.subject());
    if (failure.isOutcomeUnknown() && !inDoubt) {
      inDoubt = true;
      inDoubtSince = attemptedAt;
    }
    if (last || !failure.isTransient() || time.nanoTime() - deadline >= 0) {
      // Closing pulls the store away from under its users, who then fail in many ways.
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
        terms.subject(),
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
