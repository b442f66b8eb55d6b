package io.syncguard.internal.limit;

import io.syncguard.CancelSignal;
import io.syncguard.internal.GuardContext;
import io.syncguard.internal.Lifetime;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;

/**
 * What the blocking and the asynchronous view of one rate limiter share: how arguments become
 * operations and waits.
 *
 * @param signal what calls operations and waits off
 */
record RateTerms(GuardContext guard, Rate rate, CancelSignal signal) {

  /** The name of the one operation of rate limiters. */
  static final String ACQUIRE = "acquire";

  LimitOperation.Take take(long permits) {
    return guard.operations().check(rate.subject(), ACQUIRE, () -> rate.take(permits));
  }

  RateWait newWait(long permits, Duration maxWait) {
    return guard
        .operations()
        .check(
            rate.subject(),
            ACQUIRE,
            () -> new RateWait(this, rate.take(permits), Lifetime.checkWait(maxWait)));
  }
}
