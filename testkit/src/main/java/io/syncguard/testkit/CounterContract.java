package io.syncguard.testkit;

import io.syncguard.testkit.limit.CounterFaultSuite;
import io.syncguard.testkit.limit.CounterSuite;
import io.syncguard.testkit.limit.CounterWindowSuite;

/**
 * The whole contract of a store's limited counters. A store's test class extends this, says how to
 * open the store, and is done when all is green.
 */
public abstract class CounterContract extends StoreContract
    implements CounterSuite, CounterWindowSuite, CounterFaultSuite {

  /** For subclasses. */
  protected CounterContract() {}
}
