package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.internal.AttemptTime;
import io.syncguard.limit.RateDecision;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The operations of {@link LimitBackend} without blocking. A failure completes the stage with the
 * {@link io.syncguard.SyncGuardException} that the blocking operation would throw.
 */
public interface AsyncLimitBackend {

  /** Returns the operations of a backend that only blocks, each run by the executor. */
  static AsyncLimitBackend of(LimitBackend blocking, Executor executor) {
    return of(blocking, executor, AttemptTime.UNLIMITED);
  }

  /**
   * Returns the operations of a backend that only blocks, each run by the executor. One that it has
   * not begun after the timeout fails with SERVICE_UNAVAILABLE and is not carried out.
   */
  static AsyncLimitBackend of(LimitBackend blocking, Executor executor, Duration timeout) {
    return new OffloadedLimitBackend(blocking, executor, timeout);
  }

  /** Counts one, unless the window that is under way has had its most. */
  CompletionStage<CounterResult> increment(CountRequest request, CancelSignal signal);

  /** Tells of the window under way. */
  CompletionStage<Optional<CounterState>> current(ResourceKey key, CancelSignal signal);

  /** Ends the window under way; tells whether there was one. */
  CompletionStage<Boolean> reset(ResourceKey key, CancelSignal signal);

  /** Allows by GCRA. */
  CompletionStage<RateDecision> acquire(RateRequest request, CancelSignal signal);
}
