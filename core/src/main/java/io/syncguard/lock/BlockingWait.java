package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.telemetry.LockEvent;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Waits for a lock in the caller's thread. */
final class BlockingWait {

  private final LockEngine engine;
  private final Acquisition acquisition;
  private final CancelSignal signal;
  private final Semaphore wakeUps = new Semaphore(0);

  BlockingWait(LockEngine engine, Acquisition acquisition, CancelSignal signal) {
    this.engine = engine;
    this.acquisition = acquisition;
    this.signal = signal;
  }

  LockHandle await() {
    engine.holdings().begin();
    try {
      LockHandle handle = null;
      boolean unwaited = engine.lines().mayAskAtOnce(acquisition.key());
      if (unwaited) {
        handle = attempt(false);
      }
      if (handle == null) {
        handle = awaitInLine(unwaited);
      }
      engine.holdings().end();
      return handle;
    } catch (RuntimeException | Error e) {
      acquisition.giveUp(engine.holdings()::end);
      throw e;
    }
  }

  private void throwIfAborted() {
    engine
        .checks()
        .pass(
            LockEvent.Type.ACQUIRE,
            acquisition.key(),
            null,
            () -> engine.entrance().throwIfAborted(signal));
  }

  private LockHandle awaitInLine(boolean askedBefore) {
    try (WaitingLines.Place place = engine.lines().join(acquisition.key(), wakeUps::release);
        CancelSignal.Registration registration = signal.onCancel(wakeUps::release)) {
      if (askedBefore && !place.isWatched()) {
        acquisition.skipAskingOnJoining();
      }
      while (true) {
        wakeUps.drainPermits();
        throwIfAborted();
        long nap = acquisition.napNanos(place);
        LockHandle handle = nap > 0 ? sleep(place, nap) : ask(place);
        if (handle != null) {
          return handle;
        }
      }
    }
  }

  private @Nullable LockHandle ask(WaitingLines.Place place) {
    boolean watched = place.isWatched();
    LockHandle handle = attempt(watched);
    if (handle != null) {
      place.leaveWithLock(handle.lockId(), false);
    } else if (watched && acquisition.isContended()) {
      place.isKnownToTheStore();
    }
    return handle;
  }

  /** Returns a handle if somebody took the lock for this waiter while it slept. */
  private @Nullable LockHandle sleep(WaitingLines.Place place, long nanos) {
    if (!engine.isPipelined()) {
      nap(nanos);
      return null;
    }
    Offer offer = acquisition.offer(signal);
    place.offer(offer);
    nap(nanos);
    return place.withdraw(offer) ? null : awaitTaken(place, offer);
  }

  /** An interrupt is seen to after the nap. */
  private void nap(long nanos) {
    try {
      engine.time().await(wakeUps, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable LockHandle awaitTaken(WaitingLines.Place place, Offer offer) {
    acquisition.taken(offer);
    AcquireAttempt answer;
    try {
      answer = AsyncLockBackend.await(offer.answer());
    } catch (RuntimeException e) {
      acquisition.failed(e);
      return null;
    } finally {
      place.offerIsAnswered();
    }
    LockHandle handle = acquisition.answered(answer);
    if (handle != null) {
      place.leaveWithLock(handle.lockId(), offer.isHandOver());
    } else if (!offer.isHandOver() && acquisition.isContended()) {
      place.isKnownToTheStore();
    }
    return handle;
  }

  private @Nullable LockHandle attempt(boolean watched) {
    throwIfAborted();
    AcquireAttempt answer;
    try {
      answer = engine.backend().acquire(acquisition.attempt(watched), signal);
    } catch (RuntimeException e) {
      acquisition.failed(e);
      return null;
    }
    return acquisition.answered(answer);
  }
}
