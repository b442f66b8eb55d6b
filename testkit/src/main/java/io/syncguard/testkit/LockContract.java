package io.syncguard.testkit;

import io.syncguard.spi.Store;
import io.syncguard.testkit.lock.AutoExtensionSuite;
import io.syncguard.testkit.lock.CancellationSuite;
import io.syncguard.testkit.lock.ClosingSuite;
import io.syncguard.testkit.lock.ContentionSuite;
import io.syncguard.testkit.lock.ContinuationSuite;
import io.syncguard.testkit.lock.ErrorSuite;
import io.syncguard.testkit.lock.ExpirySuite;
import io.syncguard.testkit.lock.FaultSuite;
import io.syncguard.testkit.lock.FenceSuite;
import io.syncguard.testkit.lock.HelperSuite;
import io.syncguard.testkit.lock.KeySuite;
import io.syncguard.testkit.lock.LifecycleSuite;
import io.syncguard.testkit.lock.LockGrantSuite;
import io.syncguard.testkit.lock.LockHandOffSuite;
import io.syncguard.testkit.lock.LockLeavingSuite;
import io.syncguard.testkit.lock.LockLivenessSuite;
import io.syncguard.testkit.lock.LockLostReplySuite;
import io.syncguard.testkit.lock.LockQueueSuite;
import io.syncguard.testkit.lock.LongLockQueueSuite;
import io.syncguard.testkit.lock.LookupSuite;
import io.syncguard.testkit.lock.LossSuite;
import io.syncguard.testkit.lock.OwnershipSuite;
import io.syncguard.testkit.lock.QueueOutsideSuite;
import io.syncguard.testkit.lock.TaskSuite;
import io.syncguard.testkit.lock.TelemetrySuite;
import io.syncguard.testkit.lock.ToleranceSuite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * The whole contract of a store's locks. A store's test class extends this, says how to open the
 * store, and is done when all is green.
 */
public abstract class LockContract extends StoreContract
    implements LifecycleSuite,
        ContentionSuite,
        ExpirySuite,
        ToleranceSuite,
        OwnershipSuite,
        FenceSuite,
        LookupSuite,
        KeySuite,
        CancellationSuite,
        ClosingSuite,
        ContinuationSuite,
        ErrorSuite,
        HelperSuite,
        TaskSuite,
        AutoExtensionSuite,
        LossSuite,
        FaultSuite,
        TelemetrySuite,
        LockQueueSuite,
        LockGrantSuite,
        LockLivenessSuite,
        LockLeavingSuite,
        LockLostReplySuite,
        LockHandOffSuite,
        LongLockQueueSuite,
        QueueOutsideSuite {

  private final List<Store> bareStores = new ArrayList<>();

  /** For subclasses. */
  protected LockContract() {}

  @Override
  public final Store openBareStore() {
    Store store = fixture().openClient();
    bareStores.add(store);
    return store;
  }

  @AfterEach
  final void closeBareStores() {
    bareStores.forEach(Store::close);
    bareStores.clear();
  }
}
