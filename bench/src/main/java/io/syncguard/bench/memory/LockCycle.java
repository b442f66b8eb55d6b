package io.syncguard.bench.memory;

import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.Locks;

/** What is measured: a free lock is taken and released. */
final class LockCycle {

  private LockCycle() {}

  static boolean acquire(Locks locks, KeyRing keys) {
    try (AcquireResult result = locks.tryLock(keys.next())) {
      return taken(result);
    }
  }

  /** A lock that is not free costs something else, so it must not count. */
  static boolean taken(AcquireResult result) {
    if (!result.isAcquired()) {
      throw new IllegalStateException("Another client holds a lock that should be free");
    }
    return true;
  }
}
