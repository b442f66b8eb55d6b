package io.syncguard.testkit.limit;

import io.syncguard.Primitive;
import io.syncguard.counter.Counters;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.Faults;

/** What the suites have to work with: counters and limiters of one store, seen by its clients. */
public interface LimitSuite extends StoreSuite {

  /** Returns the counters as one client sees them. */
  default Counters counters() {
    return guard().counters();
  }

  /** Returns the same counters as another client sees them. */
  default Counters otherCounters() {
    return otherGuard().counters();
  }

  /** Opens a further client whose counters and limiters fail on request, closed after the test. */
  default FaultyClient openFaulty() {
    return openFaulty(guardOptions(), Faults.on(Primitive.COUNTER, Primitive.RATE_LIMITER));
  }
}
