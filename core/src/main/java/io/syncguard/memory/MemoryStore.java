package io.syncguard.memory;

import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;

/** A store in this process's memory. It forgets everything, fences included, when it is closed. */
final class MemoryStore implements Store {

  private final MemoryLocks locks;

  MemoryStore(TimeSource time) {
    this.locks = new MemoryLocks(new StoreClock(time));
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public void close() {
    locks.close();
  }
}
