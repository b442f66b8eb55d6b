package io.syncguard.testkit.limit;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.counter.Counters;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.fault.FaultyLimitBackend;
import java.util.ArrayList;
import java.util.List;

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

  /** A client of the store under test that fails on request. */
  record FaultyLimits(SyncGuard guard, Faults store) {}

  /** Opens a further client that fails on request, closed after the test. */
  default FaultyLimits openFaultyLimits(GuardOptions options) {
    List<FaultyLimitBackend> store = new ArrayList<>();
    SyncGuard guard =
        open(
            options,
            client ->
                DecoratedStore.withLimits(
                    client,
                    backend -> {
                      store.add(new FaultyLimitBackend(backend));
                      return store.get(0);
                    }));
    guard.counters();
    return new FaultyLimits(guard, store.get(0).faults());
  }
}
