package io.syncguard.redis.lock;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;

/** Which Redis keys belong to a lock. */
public interface KeyLayout {

  /**
   * The keys of a user's key: its record, its fence counter, and what index keys beside them begin
   * with.
   */
  record Names(String lockKey, String fenceKey, String indexPrefix) {

    /** Returns the index key of one lock. */
    public String indexKey(LockId lockId) {
      return indexPrefix + lockId.value();
    }
  }

  /** Returns the keys of a user's key. */
  Names names(ResourceKey key);

  /** Returns the index key of a lock of which only the id is known. */
  String indexKey(LockId lockId);

  /** Returns an id for a new lock on the key. */
  LockId newLockId(ResourceKey key);

  /** Returns a pattern that matches the records of all locks, and more. */
  String pattern();

  /**
   * Returns whether a key that matches may be a lock's record, and is not an index or a counter.
   */
  boolean mayBeLock(String redisKey);
}
