package io.syncguard.internal.waiting;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Steps;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Waits without a thread, in {@link Steps}, so that the fields need no lock.
 *
 * @param <A> what the store answers
 * @param <H> what is waited for
 * @param <R> what the caller is to have of it
 */
public final class AsyncWait<A, H extends R, R> {

  private record Answer<A>(@Nullable A answer, @Nullable Throwable failure) {}

  private final Wait<A, ?, H> wait;
  private final CompletableFuture<R> result = new CompletableFuture<>();
  private final Steps steps = new Steps(this::stepOrFail);

  private CancelSignal.@Nullable Registration cancelled;
  private CancelSignal.@Nullable Registration closed;
  private TimeSource.@Nullable Timer timer;
  private boolean asking;
  private boolean ended;
  private volatile @Nullable Answer<A> answer;

  private AsyncWait(Wait<A, ?, H> wait) {
    this.wait = wait;
  }

  /**
   * Begins to wait and returns at once. A caller that completes the future first ends the wait, and
   * what it got is given back.
   */
  public static <A, H extends R, R> CompletableFuture<R> start(Wait<A, ?, H> wait) {
    return new AsyncWait<A, H, R>(wait).start();
  }

  private CompletableFuture<R> start() {
    wait.begun();
    wait.wakeBy(steps::drive);
    steps.drive();
    CompletionStage<R> done = result;
    done.whenComplete((got, failure) -> steps.drive());
    return result;
  }

  private void stepOrFail() {
    try {
      step();
    } catch (RuntimeException | Error e) {
      end(e);
      result.completeExceptionally(e);
    }
  }

  private void step() {
    Answer<A> arrived = answer;
    if (arrived != null) {
      answer = null;
      asking = false;
      take(arrived);
    }
    if (ended) {
      return;
    }
    if (asking) {
      wait.throwIfNotWorthTheAnswer();
      return;
    }
    if (result.isDone()) {
      end(new CancellationException());
      return;
    }
    wait.throwIfCalledOff(false);
    if (cancelled == null) {
      cancelled = wait.signal().onCancel(steps::drive);
      closed = wait.guard().entrance().onClose(steps::drive);
    }
    cancelTimer();
    H got = wait.takeGrant();
    if (got != null) {
      handOver(got);
      return;
    }
    long nap = wait.napNanos();
    if (nap > 0) {
      timer = wait.time().schedule(steps::drive, Duration.ofNanos(nap));
    } else {
      ask();
    }
  }

  private void ask() {
    asking = true;
    wait.guard()
        .operations()
        .begin(wait.attempt(), wait.call())
        .whenComplete(
            (value, failure) -> {
              answer = new Answer<>(value, failure);
              steps.drive();
            });
  }

  private void take(Answer<A> arrived) {
    A value = arrived.answer();
    if (value == null) {
      Throwable failure = arrived.failure();
      wait.failed(failure == null ? new IllegalStateException("no answer") : failure);
      return;
    }
    H got = wait.answered(value);
    if (got != null) {
      handOver(got);
    }
  }

  /** Reports the end before the result is complete, so that events are in order. */
  private void handOver(H got) {
    stop();
    wait.endWith(result.isDone() ? new CancellationException() : null);
    if (!result.complete(got)) {
      wait.giveBack(got);
    }
  }

  private void end(Throwable reason) {
    if (!ended) {
      stop();
      wait.endWithout(reason);
    }
  }

  private void stop() {
    ended = true;
    cancelTimer();
    if (cancelled != null) {
      cancelled.close();
    }
    if (closed != null) {
      closed.close();
    }
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
