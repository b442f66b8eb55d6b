package io.syncguard.testkit;

import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** The in-memory store with a bug. */
final class MutantFixture implements StoreFixture {

  private final MemoryFixture memory = new MemoryFixture();
  private final UnaryOperator<Store> bug;

  MutantFixture(UnaryOperator<Store> bug) {
    this.bug = bug;
  }

  @Override
  public Store openClient() {
    return bug.apply(memory.openClient());
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
  public void close() {
    memory.close();
  }
}
