package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Gate;
import io.syncguard.spi.AcquireAttempt;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Waits for a lock in the caller's thread. */
final class BlockingWait {

  private final LockEngine engine;
  private final Acquisition acquisition;
  private final CancelSignal signal;

  BlockingWait(LockEngine engine, Acquisition acquisition, CancelSignal signal) {
    this.engine = engine;
    this.acquisition = acquisition;
    this.signal = signal;
  }

  LockHandle await() {
    try {
      LockHandle handle = null;
      boolean unwaited = engine.lines().mayAskAtOnce(acquisition.key());
      if (unwaited) {
        handle = attempt(false);
      }
      return handle == null ? awaitInLine(unwaited) : handle;
    } catch (RuntimeException e) {
      acquisition.releaseIfInDoubt();
      throw e;
    }
  }

  private LockHandle awaitInLine(boolean askedBefore) {
    Semaphore wakeUps = new Semaphore(0);
    try (WaitingLines.Place place = engine.lines().join(acquisition.key(), wakeUps::release);
        CancelSignal.Registration registration = signal.onCancel(wakeUps::release)) {
      if (askedBefore && !place.isWatched()) {
        acquisition.skipAskingOnJoining();
      }
      while (true) {
        wakeUps.drainPermits();
        engine.throwIfAborted(signal);
        long nap = acquisition.napNanos(place);
        if (nap > 0) {
          engine.time().await(wakeUps, nap);
          continue;
        }
        boolean watched = place.isWatched();
        LockHandle handle = attempt(watched);
        if (handle != null) {
          place.leaveWithLock();
          return handle;
        }
        if (watched && acquisition.isContended()) {
          place.isKnownToTheStore();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Gate.interrupted();
    }
  }

  private @Nullable LockHandle attempt(boolean watched) {
    engine.throwIfAborted(signal);
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
