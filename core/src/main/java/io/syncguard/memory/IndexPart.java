package io.syncguard.memory;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of the index from ids to keys. Ids are random, so that in one large map every access would
 * miss the processor's caches; most locks are short, so they live and die in a small map, and only
 * those that last are moved to a large one, some of them from time to time.
 */
final class IndexPart {

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

  void remove(LockRecord record) {
    if (!young.remove(record.lockId, record.acquired)) {
      old.remove(record.lockId, record.acquired);
    }
  }

  void clear() {
    young.clear();
    old.clear();
  }

  /**
   * Moves some entries if there are many; looks only now and then, because counting them has its
   * price.
   */
  void settle(LockRecord added, ConcurrentHashMap<ResourceKey, LockRecord> records) {
    if (added.fence.toLong() % ADDITIONS_BETWEEN_MOVES != 0) {
      return;
    }
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
            old.put(lockId, present.acquired);
            young.remove(lockId);
          }
          return present;
        });
  }
}
