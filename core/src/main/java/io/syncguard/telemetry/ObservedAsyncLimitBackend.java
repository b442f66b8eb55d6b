package io.syncguard.telemetry;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.AsyncLimitBackend;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** An asynchronous backend whose operations are reported. */
final class ObservedAsyncLimitBackend implements AsyncLimitBackend {

  private final AsyncLimitBackend backend;
  private final LimitEvents events;

  ObservedAsyncLimitBackend(AsyncLimitBackend backend, LimitEvents events) {
    this.backend = backend;
    this.events = events;
  }

  @Override
  public CompletionStage<CounterResult> increment(CountRequest request, CancelSignal signal) {
    Operation<LimitEvent.Reason> operation = events.begin(LimitEvent.Type.INCREMENT, request.key());
    return operation.observe(backend.increment(request, signal), LimitOutcomes::counted);
  }

  @Override
  public CompletionStage<Optional<CounterState>> current(ResourceKey key, CancelSignal signal) {
    Operation<LimitEvent.Reason> operation = events.begin(LimitEvent.Type.CURRENT, key);
    return operation.observe(backend.current(key, signal), LimitOutcomes::found);
  }

  @Override
  public CompletionStage<Boolean> reset(ResourceKey key, CancelSignal signal) {
    Operation<LimitEvent.Reason> operation = events.begin(LimitEvent.Type.RESET, key);
    return operation.observe(backend.reset(key, signal), LimitOutcomes::ended);
  }

  @Override
  public CompletionStage<RateDecision> acquire(RateRequest request, CancelSignal signal) {
    Operation<LimitEvent.Reason> operation = events.begin(LimitEvent.Type.ACQUIRE, request.name());
    return operation.observe(backend.acquire(request, signal), LimitOutcomes::decided);
  }
}
