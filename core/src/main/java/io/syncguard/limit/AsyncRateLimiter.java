package io.syncguard.limit;

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
public interface AsyncRateLimiter {

  /** Makes a single attempt to get one permit. */
  default CompletionStage<RateDecision> tryAcquire() {
    return tryAcquire(1);
  }

  /** Makes a single attempt to get so many permits, all or none; at most the burst. */
  CompletionStage<RateDecision> tryAcquire(long permits);

  /** Waits for one permit without a thread; see {@link RateLimiter#acquire(long, Duration)}. */
  default CompletionStage<RateDecision.Allowed> acquire(Duration maxWait) {
    return acquire(1, maxWait);
  }

  /**
   * Waits for so many permits without a thread; see {@link RateLimiter#acquire(long, Duration)}.
   * Cancelling the stage's {@link java.util.concurrent.CompletableFuture} ends the wait, as a
   * {@link io.syncguard.CancelSignal} does.
   */
  CompletionStage<RateDecision.Allowed> acquire(long permits, Duration maxWait);
}
