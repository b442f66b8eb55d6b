package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.internal.operation.Answers;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
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

  HeldLock await() {
    engine.holdings().begin();
    try {
      HeldLock handle = null;
      boolean unwaited = engine.lines().mayAskAtOnce(acquisition.key());
      if (unwaited) {
        handle = attempt(false);
      }
      if (handle == null) {
        handle = awaitInLine(unwaited);
      }
      engine.holdings().end();
      acquisition.reportEnd(null);
      return handle;
    } catch (RuntimeException | Error e) {
      acquisition.giveUp(engine.holdings()::end);
      acquisition.reportEnd(e);
      throw e;
    }
  }

  private void throwIfAborted() {
    engine
        .operations()
        .pass(
            acquisition.subject(),
            LockOperation.ACQUIRE,
            () -> engine.guard().entrance().throwIfAborted(signal));
  }

  private HeldLock awaitInLine(boolean askedBefore) {
    try (WaitingLines.Place place = engine.lines().join(acquisition.key(), wakeUps::release);
        CancelSignal.Registration registration = signal.onCancel(wakeUps::release)) {
      if (askedBefore && !place.isWatched()) {
        acquisition.skipAskingOnJoining();
      }
      while (true) {
        wakeUps.drainPermits();
        throwIfAborted();
        long nap = acquisition.napNanos(place);
        HeldLock handle = nap > 0 ? sleep(place, nap) : ask(place);
        if (handle != null) {
          return handle;
        }
      }
    }
  }

  private @Nullable HeldLock ask(WaitingLines.Place place) {
    boolean watched = place.isWatched();
    HeldLock handle = attempt(watched);
    if (handle != null) {
      place.leaveWithLock(handle.lockId(), false);
    } else if (watched && acquisition.isContended()) {
      place.isKnownToTheStore();
    }
    return handle;
  }

  /** Returns a handle if the lock was taken for this waiter while it slept. */
  private @Nullable HeldLock sleep(WaitingLines.Place place, long nanos) {
    if (!engine.isPipelined()) {
      nap(nanos);
      return null;
    }
    Offer offer = acquisition.offer();
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

  private @Nullable HeldLock awaitTaken(WaitingLines.Place place, Offer offer) {
    acquisition.taken(offer);
    AcquireAttempt answer;
    try {
      answer = Answers.await(offer.answer(), acquisition.subject());
    } catch (RuntimeException e) {
      acquisition.failed(e);
      return null;
    } finally {
      place.offerIsAnswered();
    }
    HeldLock handle = acquisition.answered(answer);
    if (handle != null) {
      place.leaveWithLock(handle.lockId(), offer.isHandOver());
    } else if (!offer.isHandOver() && acquisition.isContended()) {
      place.isKnownToTheStore();
    }
    return handle;
  }

  private @Nullable HeldLock attempt(boolean watched) {
    throwIfAborted();
    AcquireAttempt answer;
    try {
      answer = engine.operations().await(acquisition.attempt(watched), acquisition.call());
    } catch (RuntimeException e) {
      acquisition.failed(e);
      return null;
    }
    return acquisition.answered(answer);
  }
}
