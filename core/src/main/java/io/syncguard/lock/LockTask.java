package io.syncguard.lock;

/** Code to run while holding a lock. */
@FunctionalInterface
public interface LockTask<E extends Exception> {

  /** Runs with the lock held; pass {@link LockHandle#fence} on to the resource it guards. */
  void run(LockHandle lock) throws E;
}
