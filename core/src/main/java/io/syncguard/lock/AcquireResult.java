package io.syncguard.lock;

/**
 * How an attempt to take a lock ended: with the lock in hand, or with another client holding it.
 * Made for try-with-resources: closing releases the lock, if there is one.
 */
public sealed interface AcquireResult extends AutoCloseable permits LockHandle, Contended {

  /** Returns whether the lock was taken, that is, whether this is a {@link LockHandle}. */
  default boolean isAcquired() {
    return this instanceof LockHandle;
  }

  /** Releases the lock, if there is one. Never throws; later calls do nothing. */
  @Override
  void close();
}
