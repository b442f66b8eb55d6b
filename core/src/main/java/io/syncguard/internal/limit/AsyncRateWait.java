package io.syncguard.internal.limit;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Failures;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Waits for permits without a thread: asks, sleeps as long as the store says, asks again. */
final class AsyncRateWait {

  private final RateWait wait;
  private final CompletableFuture<RateDecision.Allowed> result = new CompletableFuture<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean asking;
  private volatile TimeSource.@Nullable Timer timer;

  AsyncRateWait(RateWait wait) {
    this.wait = wait;
  }

  CompletableFuture<RateDecision.Allowed> start() {
    CancelSignal.Registration cancelled = wait.signal().onCancel(this::endIfCalledOff);
    CancelSignal.Registration closed = wait.guard().entrance().onClose(this::endIfCalledOff);
    // A caller that cancels its future wants no permit any more.
    CompletionStage<RateDecision.Allowed> done = result;
    done.whenComplete(
        (allowed, failure) -> {
          cancelled.close();
          closed.close();
          cancelTimer();
          end(failure);
        });
    ask();
    return result;
  }

  /** Reports the end before the caller learns of it, so that events are in order. */
  private void end(@Nullable Throwable failure) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    wait.reportEnd(failure);
    if (failure == null) {
      result.complete(new RateDecision.Allowed());
    } else {
      result.completeExceptionally(failure);
    }
  }

  /** While the store is asked, what it is asked is reported by itself. */
  private void endIfCalledOff() {
    if (ended.get()) {
      return;
    }
    try {
      if (asking) {
        throwIfCalledOff();
      } else {
        wait.pass(this::throwIfCalledOff);
      }
    } catch (RuntimeException e) {
      end(e);
    }
  }

  private void throwIfCalledOff() {
    wait.guard().entrance().throwIfCancelled(wait.signal());
  }

  private void ask() {
    if (ended.get()) {
      return;
    }
    asking = true;
    try {
      wait.pass(this::throwIfCalledOff);
      wait.guard().operations().begin(wait.take(), wait.call()).whenComplete(this::answered);
    } catch (RuntimeException | Error e) {
      end(e);
    }
  }

  private void answered(@Nullable RateDecision decision, @Nullable Throwable failure) {
    asking = false;
    if (failure != null) {
      end(Failures.asSyncGuardException(failure, wait.take().subject()));
    } else if (decision instanceof RateDecision.Limited limited) {
      sleep(limited);
    } else {
      end(null);
    }
  }

  private void sleep(RateDecision.Limited limited) {
    try {
      timer = wait.guard().time().schedule(this::ask, Duration.ofNanos(wait.nanosFor(limited)));
      if (ended.get()) {
        cancelTimer();
      }
    } catch (RuntimeException | Error e) {
      end(e);
    }
  }

  private void cancelTimer() {
    TimeSource.Timer present = timer;
    if (present != null) {
      present.cancel();
    }
  }
}
