package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Runs a blocking backend's operations in an executor. */
final class OffloadedLimitBackend implements AsyncLimitBackend {

  private final LimitBackend blocking;
  private final Offloading threads;

  OffloadedLimitBackend(LimitBackend blocking, Executor executor, Duration timeout) {
    this.blocking = blocking;
    this.threads = new Offloading(executor, timeout);
  }

  @Override
  public CompletionStage<CounterResult> increment(CountRequest request, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.increment(request, signal));
  }

  @Override
  public CompletionStage<Optional<CounterState>> current(ResourceKey key, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.current(key, signal));
  }

  @Override
  public CompletionStage<Boolean> reset(ResourceKey key, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.reset(key, signal));
  }

  @Override
  public CompletionStage<RateDecision> acquire(RateRequest request, CancelSignal signal) {
    return threads.offload(
        request.timeout(), signal, left -> blocking.acquire(request.within(left), signal));
  }
}
