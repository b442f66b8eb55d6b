package io.syncguard.testkit;

import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import java.time.Duration;

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

  /** Blocks while what the fixture started is stopped. */
  @Override
  void close();
}
