package io.syncguard.testkit.fault;

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

/**
 * Passes everything on to a backend; for tests that change one thing about it. Its asynchronous
 * operations are the blocking ones, so that a change need be made once only.
 */
public abstract class DelegatingLimitBackend implements LimitBackend {

  private final LimitBackend backend;
  private final AsyncLimitBackend async = AsyncLimitBackend.of(this, BlockingThreads::execute);

  /** Passes on to the given backend. */
  protected DelegatingLimitBackend(LimitBackend backend) {
    this.backend = backend;
  }

  @Override
  public AsyncLimitBackend async() {
    return async;
  }

  @Override
  public CounterResult increment(CountRequest request, CancelSignal signal) {
    return backend.increment(request, signal);
  }

  @Override
  public Optional<CounterState> current(ResourceKey key, CancelSignal signal) {
    return backend.current(key, signal);
  }

  @Override
  public boolean reset(ResourceKey key, CancelSignal signal) {
    return backend.reset(key, signal);
  }

  @Override
  public RateDecision acquire(RateRequest request, CancelSignal signal) {
    return backend.acquire(request, signal);
  }
}
