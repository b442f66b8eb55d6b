package io.syncguard.testkit;

import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.DecoratedStore;
import java.time.Duration;

/** The in-memory store under test, with a clock that can be moved. */
public final class MemoryFixture implements StoreFixture {

  private final MovableTime time = MovableTime.flowing();
  private final Store store = StoreProvider.openStore("memory:", time);

  /** Opens a new in-memory store. */
  public MemoryFixture() {}

  @Override
  public Store openClient() {
    return DecoratedStore.keptOpen(store);
  }

  @Override
  public MovableTime time() {
    return time;
  }

  @Override
  public void passTime(Duration duration) {
    time.advance(duration);
  }

  @Override
  public boolean tellsClientsApart() {
    return false;
  }

  @Override
  public void close() {
    store.close();
  }
}
