package io.syncguard.memory;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockIdMarks;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says which key a lock id is for. An id carries the mark of the thread that it was made for, and
 * each mark has a part of the index to itself, so that threads do not take each other's memory out
 * of the processor's caches.
 *
 * <p>An entry is added before its record can be seen and removed after it is gone, and only the
 * very entry of that record: the same id may have been taken again meanwhile.
 */
final class LockIndex {

  private static final int PARTS = 16;

  private final Part[] parts = Stream.generate(Part::new).limit(PARTS).toArray(Part[]::new);

  /** Returns an id whose entry will be near the others of this thread. */
  static LockId newLockId() {
    return LockIdMarks.random((int) (Thread.currentThread().getId() % PARTS));
  }

  @Nullable ResourceKey keyOf(LockId lockId) {
    return part(lockId).keyOf(lockId);
  }

  void add(LockRecord record) {
    part(record.lockId).add(record);
  }

  void remove(LockRecord record) {
    part(record.lockId).remove(record);
  }

  /** Ends the entry of the record that this one took the place of, once this one can be seen. */
  void forgetReplacedBy(LockRecord record) {
    LockRecord replaced = record.replaced;
    if (replaced != null) {
      record.replaced = null;
      remove(replaced);
    }
  }

  /** Moves entries of locks that last out of the way of short ones, now and then. */
  void settle(LockRecord added, ConcurrentHashMap<ResourceKey, LockRecord> records) {
    part(added.lockId).settle(added, records);
  }

  void clear() {
    for (Part part : parts) {
      part.clear();
    }
  }

  private Part part(LockId lockId) {
    return parts[LockIdMarks.of(lockId)];
  }

  /**
   * Ids are random, so that in one large map every access would miss the processor's caches. Most
   * locks are short and live and die in a small map; only those that last are moved to a large one,
   * some of them from time to time.
   */
  private static final class Part {

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

    /** Moves some entries if there are many; looks only now and then, as counting has its price. */
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
}
