package io.syncguard.limit;

import io.syncguard.CancelSignal;
import io.syncguard.spi.RateRequest;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The operations of {@link RateLimiter} for callers that must not block. Every method returns at
 * once, also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Continuations run in threads that may block: see {@link
 * io.syncguard.GuardOptions#withExecutor}.
 */
public final class AsyncRateLimiter {

  private final RateLimiters limiters;
  private final Rate rate;
  private final CancelSignal signal;

  AsyncRateLimiter(RateLimiters limiters, Rate rate, CancelSignal signal) {
    this.limiters = limiters;
    this.rate = rate;
    this.signal = signal;
  }

  /** Makes a single attempt to get one permit. */
  public CompletionStage<RateDecision> tryAcquire() {
    return tryAcquire(1);
  }

  /** Makes a single attempt to get so many permits, all or none; at most the burst. */
  public CompletionStage<RateDecision> tryAcquire(long permits) {
    return limiters
        .gate()
        .begin(signal, () -> limiters.backend().async().acquire(rate.request(permits), signal));
  }

  /** Waits for one permit without a thread; see {@link RateLimiter#acquire(long, Duration)}. */
  public CompletionStage<RateDecision.Allowed> acquire(Duration maxWait) {
    return acquire(1, maxWait);
  }

  /**
   * Waits for so many permits without a thread; see {@link RateLimiter#acquire(long, Duration)}.
   * Cancelling the stage's {@link java.util.concurrent.CompletableFuture} ends the wait, as a
   * {@link CancelSignal} does.
   */
  public CompletionStage<RateDecision.Allowed> acquire(long permits, Duration maxWait) {
    return limiters
        .entrance()
        .beginAcquiring(
            signal,
            () -> {
              RateRequest request = rate.request(permits);
              RateWait wait = new RateWait(limiters.time(), maxWait);
              return new AsyncRateWait(limiters, request, wait, signal).start();
            },
            allowed -> {});
  }
}
