package io.syncguard.internal.limit;

import io.syncguard.CancelSignal;
import io.syncguard.internal.GuardContext;
import io.syncguard.internal.waiting.BlockingWait;
import io.syncguard.limit.AsyncRateLimiter;
import io.syncguard.limit.RateDecision;
import io.syncguard.limit.RateLimiter;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Objects;

/** A rate limiter of a guard, for callers that may block. */
public final class StoreRateLimiter implements RateLimiter {

  private final RateTerms terms;
  private final AsyncRateLimiter async;

  private StoreRateLimiter(RateTerms terms) {
    this.terms = terms;
    this.async = new StoreAsyncRateLimiter(terms);
  }

  /** Returns the limiter of this name at once; fails for a rate or a burst that cannot be. */
  public static RateLimiter of(
      GuardContext guard, String name, long permits, Duration per, long burst) {
    Rate rate = new Rate(ResourceKey.of(name), permits, per, burst);
    return new StoreRateLimiter(new RateTerms(guard, rate, CancelSignal.never()));
  }

  @Override
  public String name() {
    return terms.rate().name().value();
  }

  @Override
  public RateLimiter cancelledBy(CancelSignal signal) {
    Objects.requireNonNull(signal, "The signal must not be null");
    return new StoreRateLimiter(new RateTerms(terms.guard(), terms.rate(), signal));
  }

  @Override
  public AsyncRateLimiter async() {
    return async;
  }

  @Override
  public RateDecision tryAcquire(long permits) {
    return terms.guard().operations().await(terms.take(permits), Call.of(terms.signal()));
  }

  @Override
  public void acquire(long permits, Duration maxWait) {
    BlockingWait.await(terms.newWait(permits, maxWait));
  }
}
