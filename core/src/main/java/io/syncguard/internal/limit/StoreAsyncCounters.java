package io.syncguard.internal.limit;

import io.syncguard.counter.AsyncCounters;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.spi.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The counters of a guard, for callers that must not block. */
final class StoreAsyncCounters implements AsyncCounters {

  private final CounterTerms terms;

  StoreAsyncCounters(CounterTerms terms) {
    this.terms = terms;
  }

  @Override
  public CompletionStage<CounterResult> increment(String key, long max, Duration window) {
    return ask(() -> terms.increment(key, max, window));
  }

  @Override
  public CompletionStage<Optional<CounterState>> current(String key) {
    return ask(() -> terms.current(key));
  }

  @Override
  public CompletionStage<Boolean> reset(String key) {
    return ask(() -> terms.reset(key));
  }

  private <A> CompletionStage<A> ask(Supplier<? extends Operation<A>> operation) {
    return terms
        .guard()
        .continuations()
        .handOut(() -> terms.guard().operations().begin(operation.get(), terms.call()));
  }
}
