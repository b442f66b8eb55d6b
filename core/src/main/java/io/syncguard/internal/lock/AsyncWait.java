package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Steps;
import io.syncguard.lock.LockHandle;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Waits for a lock without a thread, in {@link Steps}, so that the fields need no lock. */
final class AsyncWait {

  private record Answer(
      @Nullable AcquireAttempt attempt, @Nullable Throwable failure, boolean handedOver) {}

  private final LockEngine engine;
  private final Acquisition acquisition;
  private final CancelSignal signal;
  private final CompletableFuture<LockHandle> result = new CompletableFuture<>();
  private final Steps steps = new Steps(this::stepOrFail);
  private final boolean unwaited;

  private CancelSignal.@Nullable Registration registration;
  private WaitingLines.@Nullable Place place;
  private TimeSource.@Nullable Timer timer;
  private @Nullable Offer offer;
  private boolean attempting;
  private boolean ended;
  private volatile @Nullable Answer answer;

  AsyncWait(LockEngine engine, Acquisition acquisition, CancelSignal signal) {
    this.engine = engine;
    this.acquisition = acquisition;
    this.signal = signal;
    this.unwaited = engine.lines().mayAskAtOnce(acquisition.key());
  }

  CompletableFuture<LockHandle> start() {
    engine.holdings().begin();
    registration = signal.onCancel(this::drive);
    drive();
    // A caller that cancels its future wants no lock any more.
    CompletionStage<LockHandle> done = result;
    done.whenComplete((lock, failure) -> drive());
    return result;
  }

  private void drive() {
    steps.drive();
  }

  private void stepOrFail() {
    try {
      step();
    } catch (RuntimeException | Error e) {
      giveUp(e);
      result.completeExceptionally(e);
    }
  }

  private void step() {
    Answer arrived = answer;
    if (arrived != null) {
      answer = null;
      attempting = false;
      if (place != null) {
        place.offerIsAnswered();
      }
      take(arrived);
    }
    if (ended || attempting || isAttemptTaken()) {
      return;
    }
    if (result.isDone()) {
      giveUp(new CancellationException());
      return;
    }
    engine
        .operations()
        .pass(
            acquisition.subject(),
            LockOperation.ACQUIRE,
            () -> engine.guard().entrance().throwIfCancelled(signal));
    if (place == null) {
      if (unwaited && !acquisition.hasAttempted()) {
        attempt(false);
        return;
      }
      join();
      return;
    }
    cancelTimer();
    long nap = acquisition.napNanos(place);
    if (nap > 0) {
      sleep(place, nap);
    } else {
      attempt(place.isWatched());
    }
  }

  private void sleep(WaitingLines.Place mine, long nanos) {
    timer = engine.time().schedule(this::drive, Duration.ofNanos(nanos));
    if (engine.isPipelined()) {
      Offer open = acquisition.offer();
      offer = open;
      mine.offer(open);
    }
  }

  /** Returns whether another thread makes the attempt for this waiter; the answer will follow. */
  private boolean isAttemptTaken() {
    Offer open = offer;
    offer = null;
    if (open == null || place == null || place.withdraw(open)) {
      return false;
    }
    acquisition.taken(open);
    await(open.answer(), open.isHandOver());
    return true;
  }

  private void join() {
    WaitingLines.Place joined = engine.lines().join(acquisition.key(), this::drive);
    if (unwaited && !joined.isWatched()) {
      acquisition.skipAskingOnJoining();
    }
    place = joined;
    drive();
  }

  private void attempt(boolean watched) {
    await(engine.operations().begin(acquisition.attempt(watched), acquisition.call()), false);
  }

  private void await(CompletionStage<AcquireAttempt> attempting, boolean handedOver) {
    this.attempting = true;
    attempting.whenComplete(
        (attempt, failure) -> {
          answer = new Answer(attempt, failure, handedOver);
          drive();
        });
  }

  private void take(Answer arrived) {
    if (arrived.attempt() == null) {
      acquisition.failed(
          arrived.failure() == null ? new IllegalStateException("no answer") : arrived.failure());
      return;
    }
    HeldLock handle = acquisition.answered(arrived.attempt());
    if (handle == null) {
      if (place != null
          && place.isWatched()
          && !arrived.handedOver()
          && acquisition.isContended()) {
        place.isKnownToTheStore();
      }
    } else {
      if (place != null) {
        place.leaveWithLock(handle.lockId(), arrived.handedOver());
      }
      stop();
      engine.holdings().end();
      // Before the result is complete, so that events are in order.
      acquisition.reportEnd(result.isDone() ? new CancellationException() : null);
      if (!result.complete(handle)) {
        handle.giveBack();
      }
    }
  }

  private void giveUp(Throwable reason) {
    if (!ended) {
      stop();
      acquisition.reportEnd(reason);
      acquisition.giveUp(engine.holdings()::end);
    }
  }

  private void stop() {
    ended = true;
    cancelTimer();
    if (registration != null) {
      registration.close();
    }
    if (place != null) {
      place.close();
    }
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
