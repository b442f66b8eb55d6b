package io.syncguard.internal.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Steps;
import io.syncguard.semaphore.Permit;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitAttempt;
import java.time.Duration;
import java.util.concurrent.CancellationException;
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
    this.acquisition = new PermitAcquisition(engine, terms, maxWait, signal, steps::drive);
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
      giveUp(e);
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
      giveUp(new CancellationException());
      return;
    }
    acquisition.pass(() -> engine.entrance().throwIfCancelled(signal));
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
        .operations()
        .begin(acquisition.attempt(), acquisition.call())
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
    HeldPermit permit = acquisition.answered(arrived.attempt());
    if (permit != null) {
      stop();
      engine.holdings().end();
      // Before the result is complete, so that events are in order.
      acquisition.reportEnd(result.isDone() ? new CancellationException() : null);
      if (!result.complete(permit)) {
        permit.giveBack();
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
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
