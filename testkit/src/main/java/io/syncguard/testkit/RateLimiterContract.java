package io.syncguard.testkit;

import io.syncguard.testkit.limit.RateFaultSuite;
import io.syncguard.testkit.limit.RateLimiterSuite;
import io.syncguard.testkit.limit.RateWaitSuite;

/**
 * The whole contract of a store's rate limiters. A store's test class extends this, says how to
 * open the store, and is done when all is green.
 */
public abstract class RateLimiterContract extends StoreContract
    implements RateLimiterSuite, RateWaitSuite, RateFaultSuite {

  /** For subclasses. */
  protected RateLimiterContract() {}
}
