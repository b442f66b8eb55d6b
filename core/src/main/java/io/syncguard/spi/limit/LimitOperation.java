package io.syncguard.spi.limit;

import io.syncguard.Subject;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.Outcome;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.telemetry.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What can be asked of a store's counters and rate limiters; {@link LimitBackend} says what each
 * means.
 *
 * @param <A> the answer
 */
public sealed interface LimitOperation<A> extends Operation<A> {

  /**
   * One increment of a limited counter.
   *
   * @param key what is counted
   * @param max how many are allowed in a window; from 1 to 2<sup>53</sup> - 1
   * @param window how long a window lasts that this increment begins; whole milliseconds, at least
   *     one
   */
  record Increment(ResourceKey key, long max, Duration window)
      implements LimitOperation<CounterResult> {

    @Override
    public String label() {
      return "increment";
    }

    @Override
    public Subject subject() {
      return Subject.ofCounter(key.value());
    }

    @Override
    public CompletionStage<CounterResult> on(Store store, Call call) {
      return store.limits().increment(this, call);
    }

    @Override
    public Outcome outcome(CounterResult answer) {
      return Outcome.of(answer.isCounted(), Reason.LIMITED);
    }
  }

  /** Asks for a counter's window under way. */
  record Current(ResourceKey key) implements LimitOperation<Optional<CounterState>> {

    @Override
    public String label() {
      return "current";
    }

    @Override
    public Subject subject() {
      return Subject.ofCounter(key.value());
    }

    @Override
    public CompletionStage<Optional<CounterState>> on(Store store, Call call) {
      return store.limits().current(this, call);
    }

    @Override
    public Outcome outcome(Optional<CounterState> answer) {
      return Outcome.of(answer.isPresent(), Reason.NOT_FOUND);
    }
  }

  /** Ends a counter's window before its time. */
  record Reset(ResourceKey key) implements LimitOperation<Boolean> {

    @Override
    public String label() {
      return "reset";
    }

    @Override
    public Subject subject() {
      return Subject.ofCounter(key.value());
    }

    @Override
    public CompletionStage<Boolean> on(Store store, Call call) {
      return store.limits().reset(this, call);
    }

    @Override
    public Outcome outcome(Boolean answer) {
      return Outcome.of(answer, Reason.NOT_FOUND);
    }
  }

  /**
   * One question to a rate limiter, in the terms of GCRA.
   *
   * @param name the limiter's name
   * @param cost how far this moves the limiter's time: the interval between two permits, times the
   *     permits asked for; to the nanosecond, never more than the burst
   * @param burst how far the limiter's time may be ahead of the store's clock; to the nanosecond,
   *     at most {@link #LONGEST_BURST}
   */
  record Take(ResourceKey name, Duration cost, Duration burst)
      implements LimitOperation<RateDecision> {

    /** So long that a store can calculate with it in nanoseconds, also where these are doubles. */
    public static final Duration LONGEST_BURST = Duration.ofDays(30);

    @Override
    public String label() {
      return "acquire";
    }

    @Override
    public Subject subject() {
      return Subject.ofRateLimiter(name.value());
    }

    @Override
    public CompletionStage<RateDecision> on(Store store, Call call) {
      return store.limits().take(this, call);
    }

    @Override
    public Outcome outcome(RateDecision answer) {
      return Outcome.of(answer.isAllowed(), Reason.LIMITED);
    }
  }
}
