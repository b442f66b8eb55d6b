package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import java.util.Optional;

/**
 * The limited counters and the rate limiters of one store; a counter and a limiter may have the
 * same name. Each operation is a single, atomic attempt that nobody repeats. Thread-safe.
 *
 * <p>Time is the store's, never a client's. Of what counts no more nothing is left, or only what
 * the store removes by itself. What is stored and is not what these operations write is refused
 * with INTERNAL and stays as it is.
 *
 * <p>Operations block, and fail with a {@link SyncGuardException}: {@code ABORTED} if the signal is
 * cancelled or the thread interrupted (whose interrupt flag is then set), and with {@link
 * SyncGuardException#isOutcomeUnknown} where the store may have carried out what was asked.
 */
public interface LimitBackend {

  /** Returns the same operations without blocking. */
  AsyncLimitBackend async();

  /**
   * Counts one, unless the window that is under way has had the request's max. Without a window
   * under way this begins one, which ends after the request's time whatever comes later. A counter
   * that is found without an end gets one, after the request's time from now.
   */
  CounterResult increment(CountRequest request, CancelSignal signal);

  /** Returns the window under way; empty if there is none. Changes nothing. */
  Optional<CounterState> current(ResourceKey key, CancelSignal signal);

  /** Ends the window under way; returns whether there was one. */
  boolean reset(ResourceKey key, CancelSignal signal);

  /**
   * Allows, in one step by GCRA. A limiter has a time of its own, the arrival time at which it
   * would be idle: now if it is unused or that is over, and at most now plus the burst, so that a
   * clock that was set back locks nobody out for longer. If that time plus the cost is at most now
   * plus the burst, it becomes the limiter's time and this is allowed. Otherwise the cost is not
   * added, and it would be allowed when the excess has passed.
   */
  RateDecision acquire(RateRequest request, CancelSignal signal);
}
