package io.syncguard.redis;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;

/** Which Redis keys belong to a lock. */
interface KeyLayout {

  /**
   * The keys of a user's key: its record, its fence counter, and what index keys beside them begin
   * with.
   */
  record Names(String lockKey, String fenceKey, String indexPrefix) {

    String indexKey(LockId lockId) {
      return indexPrefix + lockId.value();
    }
  }

  Names names(ResourceKey key);

  /** The index key of a lock of which only the id is known. */
  String indexKey(LockId lockId);

  LockId newLockId(ResourceKey key);

  /** Matches the records of all locks, and more. */
  String pattern();

  /**
   * Returns whether a key that matches may be a lock's record, and is not an index or a counter.
   */
  boolean mayBeLock(String redisKey);
}
