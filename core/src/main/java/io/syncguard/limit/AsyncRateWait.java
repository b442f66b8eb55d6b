package io.syncguard.limit;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Failures;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Waits for permits without a thread: asks, sleeps as long as the store says, asks again. */
final class AsyncRateWait {

  private final RateLimiters limiters;
  private final RateRequest request;
  private final RateWait wait;
  private final CancelSignal signal;
  private final CompletableFuture<RateDecision.Allowed> result = new CompletableFuture<>();
  private volatile TimeSource.@Nullable Timer timer;

  AsyncRateWait(RateLimiters limiters, RateRequest request, RateWait wait, CancelSignal signal) {
    this.limiters = limiters;
    this.request = request;
    this.wait = wait;
    this.signal = signal;
  }

  CompletableFuture<RateDecision.Allowed> start() {
    CancelSignal.Registration cancelled = signal.onCancel(this::failIfCalledOff);
    CancelSignal.Registration closed = limiters.closing().onCancel(this::failIfCalledOff);
    CompletionStage<RateDecision.Allowed> done = result;
    done.whenComplete(
        (allowed, failure) -> {
          cancelled.close();
          closed.close();
          cancelTimer();
        });
    ask();
    return result;
  }

  private void failIfCalledOff() {
    try {
      limiters.entrance().throwIfCancelled(signal);
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private void ask() {
    if (result.isDone()) {
      return;
    }
    try {
      limiters
          .backend()
          .async()
          .acquire(request.within(wait.attemptTime()), signal)
          .whenComplete(this::answered);
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private void answered(@Nullable RateDecision decision, @Nullable Throwable failure) {
    if (failure != null) {
      result.completeExceptionally(Failures.asSyncGuardException(failure, request.context()));
    } else if (decision instanceof RateDecision.Limited limited) {
      sleep(limited);
    } else {
      result.complete(new RateDecision.Allowed());
    }
  }

  private void sleep(RateDecision.Limited limited) {
    try {
      timer = limiters.time().schedule(this::ask, Duration.ofNanos(wait.nanosFor(limited)));
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private void cancelTimer() {
    TimeSource.Timer present = timer;
    if (present != null) {
      present.cancel();
    }
  }
}
