package io.syncguard.testkit;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.semaphore.HandOffSuite;
import io.syncguard.testkit.semaphore.LeavingSuite;
import io.syncguard.testkit.semaphore.LimitSuite;
import io.syncguard.testkit.semaphore.LivenessSuite;
import io.syncguard.testkit.semaphore.LostReplySuite;
import io.syncguard.testkit.semaphore.PermitSuite;
import io.syncguard.testkit.semaphore.PermitTelemetrySuite;
import io.syncguard.testkit.semaphore.QueueSuite;
import io.syncguard.testkit.semaphore.StatsSuite;
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
 * The whole contract of a store's semaphores. A store's test class extends this, says how to open
 * the store, and is done when all is green.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SemaphoreContract
    implements PermitSuite,
        QueueSuite,
        HandOffSuite,
        LeavingSuite,
        LivenessSuite,
        LimitSuite,
        LostReplySuite,
        StatsSuite,
        PermitTelemetrySuite {

  private StoreFixture fixture = new UnopenedFixture();
  private final List<SyncGuard> guards = new ArrayList<>();
  private final List<Store> stores = new ArrayList<>();

  /** For subclasses. */
  protected SemaphoreContract() {}

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
    open(guardOptions());
    open(guardOptions());
    stores.add(fixture.openClient());
  }

  @AfterEach
  final void closeClients() {
    guards.forEach(SyncGuard::close);
    guards.clear();
    stores.forEach(Store::close);
    stores.clear();
  }

  @Override
  public final StoreFixture fixture() {
    return fixture;
  }

  @Override
  public final SyncGuard guard() {
    return guards.get(0);
  }

  @Override
  public final SyncGuard otherGuard() {
    return guards.get(1);
  }

  @Override
  public final SemaphoreBackend backend() {
    return stores.get(0).semaphores();
  }

  @Override
  public final SyncGuard open(GuardOptions options) {
    return open(options, UnaryOperator.identity());
  }

  @Override
  public final SyncGuard open(GuardOptions options, UnaryOperator<SemaphoreBackend> decoration) {
    Store client = DecoratedStore.withSemaphores(fixture.openClient(), decoration);
    SyncGuard guard = SyncGuard.over(client, options);
    guards.add(guard);
    return guard;
  }

  @Override
  public final String newName() {
    return "testkit:" + UUID.randomUUID();
  }
}
