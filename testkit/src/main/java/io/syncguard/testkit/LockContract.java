package io.syncguard.testkit;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.Locks;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Store;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.lock.AutoExtensionSuite;
import io.syncguard.testkit.lock.CancellationSuite;
import io.syncguard.testkit.lock.ContentionSuite;
import io.syncguard.testkit.lock.ErrorSuite;
import io.syncguard.testkit.lock.ExpirySuite;
import io.syncguard.testkit.lock.FaultSuite;
import io.syncguard.testkit.lock.FenceSuite;
import io.syncguard.testkit.lock.HelperSuite;
import io.syncguard.testkit.lock.KeySuite;
import io.syncguard.testkit.lock.LifecycleSuite;
import io.syncguard.testkit.lock.LookupSuite;
import io.syncguard.testkit.lock.OwnershipSuite;
import io.syncguard.testkit.lock.TelemetrySuite;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * The whole contract of a store's locks. A store's test class extends this, says how to open the
 * store, and is done when all is green.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LockContract
    implements LifecycleSuite,
        ContentionSuite,
        ExpirySuite,
        OwnershipSuite,
        FenceSuite,
        LookupSuite,
        KeySuite,
        CancellationSuite,
        ErrorSuite,
        HelperSuite,
        AutoExtensionSuite,
        FaultSuite,
        TelemetrySuite {

  private StoreFixture fixture = new UnopenedFixture();
  private final List<SyncGuard> guards = new ArrayList<>();
  private final List<Locks> clients = new ArrayList<>();

  /** For subclasses. */
  protected LockContract() {}

  /** Opens the store under test, once for all tests of the class. */
  protected abstract StoreFixture openFixture() throws Exception;

  @BeforeAll
  final void openStore() throws Exception {
    fixture = openFixture();
  }

  @AfterAll
  final void closeStore() {
    fixture.close();
  }

  @BeforeEach
  final void openTwoClients() {
    clients.add(open(GuardOptions.defaults().withTimeSource(fixture.time())).locks());
    clients.add(open(GuardOptions.defaults().withTimeSource(fixture.time())).locks());
  }

  @AfterEach
  final void closeClients() {
    guards.forEach(SyncGuard::close);
    guards.clear();
    clients.clear();
  }

  @Override
  public final StoreFixture fixture() {
    return fixture;
  }

  @Override
  public final Locks locks() {
    return clients.get(0);
  }

  @Override
  public final Locks otherLocks() {
    return clients.get(1);
  }

  @Override
  public final SyncGuard open(GuardOptions options) {
    return open(options, UnaryOperator.identity());
  }

  @Override
  public final SyncGuard open(GuardOptions options, UnaryOperator<LockBackend> decoration) {
    Store client = fixture.openClient();
    SyncGuard guard = SyncGuard.over(new DecoratedStore(client, decoration), options);
    guards.add(guard);
    return guard;
  }

  @Override
  public final String newKey() {
    return "testkit:" + UUID.randomUUID();
  }
}
