package io.syncguard.memory;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Says which key a lock id is for. Ids are random, so that in one large map every access would miss
 * the processor's caches; most locks are short, so they live and die in a small map, and only those
 * that last are moved to a large one, some of them from time to time.
 *
 * <p>A record's entry may be changed only while the store's map holds that record's key, so that it
 * is never moved and removed at the same time.
 */
final class LockIndex {

  private static final int SMALL = 4096;
  private static final int ADDITIONS_BETWEEN_MOVES = 64;
  private static final int MOVED_AT_A_TIME = 4 * ADDITIONS_BETWEEN_MOVES;

  private final ConcurrentHashMap<LockId, LockRecord> young = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<LockId, LockRecord> old = new ConcurrentHashMap<>();
  private final ReentrantLock moving = new ReentrantLock();
  private @Nullable Iterator<LockRecord> toMove;

  @Nullable ResourceKey keyOf(LockId lockId) {
    LockRecord record = young.get(lockId);
    if (record == null) {
      record = old.get(lockId);
    }
    return record == null ? null : record.key;
  }

  void add(LockRecord record) {
    young.put(record.lockId, record);
  }

  /**
   * Returns whether it is time to look for entries to move: counting them each time would cost too
   * much.
   */
  boolean isTimeToSettle(LockRecord added) {
    return added.fence.toLong() % ADDITIONS_BETWEEN_MOVES == 0;
  }

  void remove(LockRecord record) {
    if (young.remove(record.lockId) == null) {
      old.remove(record.lockId);
    }
  }

  void clear() {
    young.clear();
    old.clear();
  }

  /** Moves a few entries if there are many; each while the store's map holds its key. */
  void settle(ConcurrentHashMap<ResourceKey, LockRecord> records) {
    if (young.mappingCount() <= SMALL || !moving.tryLock()) {
      return;
    }
    try {
      for (int moved = 0; moved < MOVED_AT_A_TIME; moved++) {
        Iterator<LockRecord> next = toMove;
        if (next == null || !next.hasNext()) {
          toMove = young.values().iterator();
          return;
        }
        LockId lockId = next.next().lockId;
        move(lockId, records);
      }
    } finally {
      moving.unlock();
    }
  }

  private void move(LockId lockId, ConcurrentHashMap<ResourceKey, LockRecord> records) {
    ResourceKey key = keyOf(lockId);
    if (key == null) {
      return;
    }
    records.computeIfPresent(
        key,
        (k, present) -> {
          if (present.isOwnedBy(lockId)) {
            old.put(lockId, present);
            young.remove(lockId);
          }
          return present;
        });
  }
}
