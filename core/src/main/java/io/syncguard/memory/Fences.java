package io.syncguard.memory;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.Fence;
import io.syncguard.spi.ResourceKey;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Hands out fences that increase for every key. A fixed number of counters serves all keys, many
 * keys one counter: a counter may never be forgotten, and one for each key ever locked would fill
 * the memory.
 */
final class Fences {

  private static final int COUNTERS = 4096;

  /**
   * Counters stand a cache line apart, so that threads on different ones do not slow each other.
   */
  private static final int SPACING = 8;

  private final AtomicLongArray counters = new AtomicLongArray(COUNTERS * SPACING);

  Fences(long startAfter) {
    for (int i = 0; i < COUNTERS; i++) {
      counters.set(i * SPACING, startAfter);
    }
  }

  Fence next(ResourceKey key) {
    int index = Math.floorMod(spread(key.hashCode()), COUNTERS) * SPACING;
    while (true) {
      long last = counters.get(index);
      if (last >= Fence.MAX) {
        throw new SyncGuardException(
            SyncGuardException.Code.INTERNAL,
            "The fences of key " + key.label() + " are used up: it has reached " + Fence.MAX,
            Subject.ofLock(key.value(), null),
            null);
      }
      if (counters.compareAndSet(index, last, last + 1)) {
        return Fence.of(last + 1);
      }
    }
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }
}
