package io.syncguard.bench.memory;

import io.syncguard.SyncGuard;
import io.syncguard.lock.Locks;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;

/**
 * How much heap a held lock takes.
 *
 * @param store bytes in the store: the key's text, the record, the index by id and their tables
 * @param handle bytes of the handle that its holder has, which a lock held by id does without
 */
record HeapPerLock(double store, double handle) {

  static HeapPerLock measure(int count) {
    try (SyncGuard guard = SyncGuard.open("memory:")) {
      long empty = usedAfterCollection();
      long withHandles = usedHolding(guard.locks(), count);
      long withoutHandles = usedAfterCollection();
      return new HeapPerLock(
          (double) (withoutHandles - empty) / count,
          (double) (withHandles - withoutHandles) / count);
    }
  }

  private static long usedHolding(Locks locks, int count) {
    LiveLocks live = LiveLocks.hold(locks, count);
    try {
      return usedAfterCollection();
    } finally {
      Reference.reachabilityFence(live);
    }
  }

  double total() {
    return store + handle;
  }

  private static long usedAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
