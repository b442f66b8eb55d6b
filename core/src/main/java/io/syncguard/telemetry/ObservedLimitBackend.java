package io.syncguard.telemetry;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.AsyncLimitBackend;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import java.util.Optional;

/** A backend whose operations are reported. */
final class ObservedLimitBackend implements LimitBackend {

  private final LimitBackend backend;
  private final LimitEvents events;
  private final AsyncLimitBackend async;

  ObservedLimitBackend(LimitBackend backend, LimitEvents events) {
    this.backend = backend;
    this.events = events;
    this.async = new ObservedAsyncLimitBackend(backend.async(), events);
  }

  @Override
  public AsyncLimitBackend async() {
    return async;
  }

  @Override
  public CounterResult increment(CountRequest request, CancelSignal signal) {
    return events
        .begin(LimitEvent.Type.INCREMENT, request.key())
        .observe(() -> backend.increment(request, signal), LimitOutcomes::counted);
  }

  @Override
  public Optional<CounterState> current(ResourceKey key, CancelSignal signal) {
    return events
        .begin(LimitEvent.Type.CURRENT, key)
        .observe(() -> backend.current(key, signal), LimitOutcomes::found);
  }

  @Override
  public boolean reset(ResourceKey key, CancelSignal signal) {
    return events
        .begin(LimitEvent.Type.RESET, key)
        .observe(() -> backend.reset(key, signal), LimitOutcomes::ended);
  }

  @Override
  public RateDecision acquire(RateRequest request, CancelSignal signal) {
    return events
        .begin(LimitEvent.Type.ACQUIRE, request.name())
        .observe(() -> backend.acquire(request, signal), LimitOutcomes::decided);
  }
}
