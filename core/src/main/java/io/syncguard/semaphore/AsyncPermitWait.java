package io.syncguard.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Steps;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Waits for a permit without a thread, in {@link Steps}, so that the fields need no lock. */
final class AsyncPermitWait {

  private record Answer(@Nullable PermitAttempt attempt, @Nullable Throwable failure) {}

  private final SemaphoreEngine engine;
  private final CancelSignal signal;
  private final PermitAcquisition acquisition;
  private final CompletableFuture<Permit> result = new CompletableFuture<>();
  private final Steps steps = new Steps(this::stepOrFail);

  private CancelSignal.@Nullable Registration registration;
  private TimeSource.@Nullable Timer timer;
  private boolean attempting;
  private boolean ended;
  private volatile @Nullable Answer answer;

  AsyncPermitWait(SemaphoreEngine engine, Terms terms, Duration maxWait, CancelSignal signal) {
    this.engine = engine;
    this.signal = signal;
    this.acquisition = new PermitAcquisition(engine, terms, maxWait, steps::drive);
  }

  CompletableFuture<Permit> start() {
    engine.holdings().begin();
    registration = signal.onCancel(steps::drive);
    steps.drive();
    // A caller that cancels its future wants no permit any more.
    CompletionStage<Permit> done = result;
    done.whenComplete((permit, failure) -> steps.drive());
    return result;
  }

  private void stepOrFail() {
    try {
      step();
    } catch (RuntimeException | Error e) {
      giveUp();
      result.completeExceptionally(e);
    }
  }

  private void step() {
    Answer arrived = answer;
    if (arrived != null) {
      answer = null;
      attempting = false;
      take(arrived);
    }
    if (ended || attempting) {
      return;
    }
    if (result.isDone()) {
      giveUp();
      return;
    }
    engine.entrance().throwIfCancelled(signal);
    cancelTimer();
    long nap = acquisition.napNanos();
    if (nap > 0) {
      timer = engine.time().schedule(steps::drive, Duration.ofNanos(nap));
    } else {
      attempt();
    }
  }

  private void attempt() {
    attempting = true;
    engine
        .backend()
        .async()
        .acquire(acquisition.attempt(), signal)
        .whenComplete(
            (attempt, failure) -> {
              answer = new Answer(attempt, failure);
              steps.drive();
            });
  }

  private void take(Answer arrived) {
    if (arrived.attempt() == null) {
      acquisition.failed(
          arrived.failure() == null ? new IllegalStateException("no answer") : arrived.failure());
      return;
    }
    Permit permit = acquisition.answered(arrived.attempt());
    if (permit != null) {
      stop();
      engine.holdings().end();
      if (!result.complete(permit)) {
        permit.releasing();
      }
    }
  }

  private void giveUp() {
    if (!ended) {
      stop();
      acquisition.giveUp(engine.holdings()::end);
    }
  }

  private void stop() {
    ended = true;
    cancelTimer();
    if (registration != null) {
      registration.close();
    }
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
