package io.syncguard.spi;

/** A waiter's open interest in a lock or in a slot of a semaphore. */
public interface Watch extends AutoCloseable {

  /** Returns at once whether the store still tells of changes; it may find later that it cannot. */
  default boolean isTold() {
    return true;
  }

  /** Ends the interest and returns at once; a hint that is under way may still arrive. */
  @Override
  void close();
}
