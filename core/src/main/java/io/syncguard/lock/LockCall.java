package io.syncguard.lock;

/** Code to run while holding a lock, with a result. */
@FunctionalInterface
public interface LockCall<T, E extends Exception> {

  /** Runs with the lock held; pass {@link LockHandle#fence} on to the resource it guards. */
  T call(LockHandle lock) throws E;
}
