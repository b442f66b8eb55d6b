package io.syncguard.spi.limit;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The limited counters and the rate limiters of one store; a counter and a limiter may have the
 * same name. Each operation is a single, atomic attempt that nothing repeats. Thread-safe.
 *
 * <p>Time is the store's, never a client's. Of what counts no more nothing is left, or only what
 * the store removes by itself. What is stored and is not what these operations write is refused
 * with INTERNAL and stays as it is.
 *
 * <p>How operations block and fail is the same for every primitive: {@link OperationExecutor}.
 */
public interface LimitBackend {

  /**
   * Counts one, unless the window that is under way has had the request's max. Without a window
   * under way this begins one, which ends after the request's time whatever comes later. A counter
   * that is found without an end gets one, after the request's time from now.
   */
  CompletionStage<CounterResult> increment(LimitOperation.Increment increment, Call call);

  /** Returns the window under way; empty if there is none. Changes nothing. */
  CompletionStage<Optional<CounterState>> current(LimitOperation.Current question, Call call);

  /** Ends the window under way; returns whether there was one. */
  CompletionStage<Boolean> reset(LimitOperation.Reset reset, Call call);

  /**
   * Allows, in one step by GCRA. A limiter has a time of its own, the arrival time at which it
   * would be idle: now if it is unused or that is over, and at most now plus the burst, so that a
   * clock that was set back locks no caller out for longer. If that time plus the cost is at most
   * now plus the burst, it becomes the limiter's time and this is allowed. Otherwise the cost is
   * not added, and it would be allowed when the excess has passed.
   */
  CompletionStage<RateDecision> take(LimitOperation.Take take, Call call);
}
