package io.syncguard.memory;

import io.syncguard.lock.LockId;
import io.syncguard.spi.LockIdMarks;
import io.syncguard.spi.ResourceKey;
import java.util.concurrent.ConcurrentHashMap;
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

  private final IndexPart[] parts =
      Stream.generate(IndexPart::new).limit(PARTS).toArray(IndexPart[]::new);

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

  /** Moves entries of locks that last out of the way of short ones, now and then. */
  void settle(LockRecord added, ConcurrentHashMap<ResourceKey, LockRecord> records) {
    part(added.lockId).settle(added, records);
  }

  void clear() {
    for (IndexPart part : parts) {
      part.clear();
    }
  }

  private IndexPart part(LockId lockId) {
    return parts[LockIdMarks.of(lockId)];
  }
}
