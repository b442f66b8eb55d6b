package io.syncguard.testkit;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.spi.Store;
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

/** Opens a store once for all tests of a class, and two clients of it for each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class StoreContract implements StoreSuite {

  private StoreFixture fixture = new UnopenedFixture();
  private final List<SyncGuard> guards = new ArrayList<>();

  /** For subclasses. */
  protected StoreContract() {}

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
  }

  @AfterEach
  final void closeClients() {
    guards.forEach(SyncGuard::close);
    guards.clear();
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
  public final SyncGuard openOver(GuardOptions options, UnaryOperator<Store> decoration) {
    SyncGuard guard = SyncGuard.over(decoration.apply(fixture.openClient()), options);
    guards.add(guard);
    return guard;
  }

  @Override
  public final String newName() {
    return "testkit:" + UUID.randomUUID();
  }
}
