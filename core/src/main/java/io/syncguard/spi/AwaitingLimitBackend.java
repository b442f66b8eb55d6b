package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import java.util.Optional;

/**
 * The blocking operations of a store whose own are asynchronous: each waits for its stage. The
 * stages must complete by themselves in the end, and at once when the signal is cancelled.
 */
public class AwaitingLimitBackend implements LimitBackend {

  private final AsyncLimitBackend async;

  /** Blocks for the given operations. */
  public AwaitingLimitBackend(AsyncLimitBackend async) {
    this.async = async;
  }

  @Override
  public final AsyncLimitBackend async() {
    return async;
  }

  @Override
  public CounterResult increment(CountRequest request, CancelSignal signal) {
    return Stages.await(async.increment(request, signal));
  }

  @Override
  public Optional<CounterState> current(ResourceKey key, CancelSignal signal) {
    return Stages.await(async.current(key, signal));
  }

  @Override
  public boolean reset(ResourceKey key, CancelSignal signal) {
    return Stages.await(async.reset(key, signal));
  }

  @Override
  public RateDecision acquire(RateRequest request, CancelSignal signal) {
    return Stages.await(async.acquire(request, signal));
  }
}
