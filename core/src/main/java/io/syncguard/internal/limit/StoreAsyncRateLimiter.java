package io.syncguard.internal.limit;

import io.syncguard.internal.waiting.AsyncWait;
import io.syncguard.limit.AsyncRateLimiter;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.Call;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A rate limiter of a guard, for callers that must not block. */
final class StoreAsyncRateLimiter implements AsyncRateLimiter {

  private final RateTerms terms;

  StoreAsyncRateLimiter(RateTerms terms) {
    this.terms = terms;
  }

  @Override
  public CompletionStage<RateDecision> tryAcquire(long permits) {
    return terms
        .guard()
        .continuations()
        .handOut(
            () -> terms.guard().operations().begin(terms.take(permits), Call.of(terms.signal())));
  }

  @Override
  public CompletionStage<RateDecision.Allowed> acquire(long permits, Duration maxWait) {
    return terms
        .guard()
        .continuations()
        .handOutAcquired(() -> AsyncWait.start(terms.newWait(permits, maxWait)), allowed -> {});
  }
}
