package io.syncguard.testkit;

import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.fault.DecoratedStore;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** The in-memory store with a bug. */
final class MutantFixture implements StoreFixture {

  private final MemoryFixture memory = new MemoryFixture();
  private final UnaryOperator<OperationExecutor> bug;

  MutantFixture(UnaryOperator<OperationExecutor> bug) {
    this.bug = bug;
  }

  @Override
  public Store openClient() {
    return new DecoratedStore(memory.openClient(), bug);
  }

  @Override
  public MovableTime time() {
    return memory.time();
  }

  @Override
  public void passTime(Duration duration) {
    memory.passTime(duration);
  }

  @Override
  public boolean tellsClientsApart() {
    return false;
  }

  @Override
  public void close() {
    memory.close();
  }
}
