package io.syncguard.testkit;

import io.syncguard.lock.LockId;
import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import java.util.List;

/** How a store under test is reached, and how time passes for it. One serves a whole test class. */
public interface StoreFixture extends AutoCloseable {

  /** Opens a further client of the same store, such as another process would have. */
  Store openClient();

  /** Returns what core measures time by in the tests' guards. */
  MovableTime time();

  /**
   * Blocks until this much time has passed on the clock that decides when a lock expires. The
   * default waits; a store whose clock can be moved moves it.
   */
  default void passTime(Duration duration) throws InterruptedException {
    Thread.sleep(duration.toMillis());
  }

  /** Returns whether a waiter is told of a release by another client. */
  default boolean notifies() {
    return true;
  }

  /** Returns whether the store takes each client for a process of its own, which may die alone. */
  default boolean tellsClientsApart() {
    return true;
  }

  /**
   * Frees a lock as a client of another language does that knows no queue: by deleting its record.
   * Returns false if this store has no such clients.
   */
  default boolean freeAsForeignClient(String key, LockId lockId) {
    return false;
  }

  /** Has the store refuse every further fence of the key; returns false if a test cannot. */
  default boolean useUpFences(String key) {
    return false;
  }

  /** Returns what the store keeps of a key's queue, which is nothing if there are no waiters. */
  default List<String> keptOfQueue(String key) {
    return List.of();
  }

  /** Blocks while what the fixture started is stopped. */
  @Override
  void close();
}
