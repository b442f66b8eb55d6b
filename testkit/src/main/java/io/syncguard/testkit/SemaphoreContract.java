package io.syncguard.testkit;

import io.syncguard.spi.Store;
import io.syncguard.testkit.semaphore.HandOffSuite;
import io.syncguard.testkit.semaphore.LeavingSuite;
import io.syncguard.testkit.semaphore.LimitSuite;
import io.syncguard.testkit.semaphore.LivenessSuite;
import io.syncguard.testkit.semaphore.LostReplySuite;
import io.syncguard.testkit.semaphore.PermitClosingSuite;
import io.syncguard.testkit.semaphore.PermitContinuationSuite;
import io.syncguard.testkit.semaphore.PermitSuite;
import io.syncguard.testkit.semaphore.PermitTelemetrySuite;
import io.syncguard.testkit.semaphore.QueueSuite;
import io.syncguard.testkit.semaphore.StatsSuite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The whole contract of a store's semaphores. A store's test class extends this, says how to open
 * the store, and is done when all is green.
 */
public abstract class SemaphoreContract extends StoreContract
    implements PermitSuite,
        QueueSuite,
        HandOffSuite,
        LeavingSuite,
        PermitClosingSuite,
        LivenessSuite,
        LimitSuite,
        LostReplySuite,
        PermitContinuationSuite,
        StatsSuite,
        PermitTelemetrySuite {

  private final List<Store> stores = new ArrayList<>();

  /** For subclasses. */
  protected SemaphoreContract() {}

  @BeforeEach
  final void openBareStore() {
    stores.add(fixture().openClient());
  }

  @AfterEach
  final void closeBareStore() {
    stores.forEach(Store::close);
    stores.clear();
  }

  @Override
  public final Store bareStore() {
    return stores.get(0);
  }
}
