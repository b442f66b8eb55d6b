package io.syncguard.testkit.fault;

import io.syncguard.CancelSignal;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import java.util.Optional;

/** Counters and rate limiters that fail on request. */
public final class FaultyLimitBackend extends DelegatingLimitBackend {

  private final Faults faults = new Faults();

  /** Fails on behalf of the given backend. */
  public FaultyLimitBackend(LimitBackend backend) {
    super(backend);
  }

  /** Returns what to tell it by how to fail. */
  public Faults faults() {
    return faults;
  }

  @Override
  public CounterResult increment(CountRequest request, CancelSignal signal) {
    return faults.during(() -> super.increment(request, signal));
  }

  @Override
  public Optional<CounterState> current(ResourceKey key, CancelSignal signal) {
    return faults.during(() -> super.current(key, signal));
  }

  @Override
  public boolean reset(ResourceKey key, CancelSignal signal) {
    return faults.during(() -> super.reset(key, signal));
  }

  @Override
  public RateDecision acquire(RateRequest request, CancelSignal signal) {
    return faults.during(() -> super.acquire(request, signal));
  }
}
