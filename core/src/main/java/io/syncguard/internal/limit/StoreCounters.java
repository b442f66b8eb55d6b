package io.syncguard.internal.limit;

import io.syncguard.CancelSignal;
import io.syncguard.counter.AsyncCounters;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.internal.GuardContext;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The counters of a guard, for callers that may block. */
public final class StoreCounters implements Counters {

  private final CounterTerms terms;
  private final AsyncCounters async;

  /** The counters of this guard. */
  public StoreCounters(GuardContext guard) {
    this(new CounterTerms(guard, Call.plain()));
  }

  private StoreCounters(CounterTerms terms) {
    this.terms = terms;
    this.async = new StoreAsyncCounters(terms);
  }

  @Override
  public Counters cancelledBy(CancelSignal signal) {
    Objects.requireNonNull(signal, "The signal must not be null");
    return new StoreCounters(new CounterTerms(terms.guard(), Call.of(signal)));
  }

  @Override
  public AsyncCounters async() {
    return async;
  }

  @Override
  public CounterResult increment(String key, long max, Duration window) {
    return ask(terms.increment(key, max, window));
  }

  @Override
  public Optional<CounterState> current(String key) {
    return ask(terms.current(key));
  }

  @Override
  public boolean reset(String key) {
    return ask(terms.reset(key));
  }

  private <A> A ask(Operation<A> operation) {
    return terms.guard().operations().await(operation, terms.call());
  }
}
