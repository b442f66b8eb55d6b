package io.syncguard.internal.limit;

import io.syncguard.CancelSignal;
import io.syncguard.internal.Gate;
import io.syncguard.internal.GuardContext;
import io.syncguard.limit.AsyncRateLimiter;
import io.syncguard.limit.RateDecision;
import io.syncguard.limit.RateLimiter;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;

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
    RateWait wait = terms.newWait(permits, maxWait);
    try {
      await(wait);
    } catch (RuntimeException | Error e) {
      wait.reportEnd(e);
      throw e;
    }
    wait.reportEnd(null);
  }

  private void await(RateWait wait) {
    Semaphore wakeUps = new Semaphore(0);
    try (CancelSignal.Registration cancelled = terms.signal().onCancel(wakeUps::release);
        CancelSignal.Registration closed = terms.guard().entrance().onClose(wakeUps::release)) {
      while (ask(wait) instanceof RateDecision.Limited limited) {
        terms.guard().time().await(wakeUps, wait.nanosFor(limited));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Gate.interrupted();
    }
  }

  private RateDecision ask(RateWait wait) {
    wait.pass(() -> terms.guard().entrance().throwIfAborted(terms.signal()));
    return terms.guard().operations().await(wait.take(), wait.call());
  }
}
