package io.syncguard.redis.lock;

import io.syncguard.lock.LockId;
import io.syncguard.redis.RedisContents;
import io.syncguard.spi.ResourceKey;

/** A lock that a client in another language took: where it is stored, and one way to spell it. */
record ForeignLock(String prefix, String key, LockId lockId) {

  /** The fence of a foreign lock, unless a test spells it otherwise. */
  static final String FENCE = "000000000000007";

  static ForeignLock on(String key) {
    return new ForeignLock("syncguard", key, LockId.random());
  }

  ResourceKey resource() {
    return ResourceKey.of(key);
  }

  String lockKey() {
    return prefix + ":" + key;
  }

  String indexKey() {
    return prefix + ":id:" + lockId.value();
  }

  String fenceKey() {
    return prefix + ":fence:" + prefix + ":" + key;
  }

  /** Returns the record as SyncGuard's scripts would write it. */
  String record(long expiresAtMs) {
    return RecordText.head(resource(), lockId)
        + FENCE
        + "\",\"acquiredAtMs\":"
        + (expiresAtMs - 30_000)
        + ",\"expiresAtMs\":"
        + expiresAtMs
        + "}";
  }

  /** Stores the record with its index and its counter; both keys go when SyncGuard's would. */
  void store(RedisContents to, String record, long expiresAtMs) {
    to.put(lockKey(), record, expiresAtMs + 5000);
    to.put(indexKey(), lockKey(), expiresAtMs + 5000);
    to.put(fenceKey(), Long.toString(Long.parseLong(FENCE)), RedisContents.NEVER);
  }

  /** Stores a record that expired this long ago. */
  void storeExpired(RedisContents to, long ageMs) {
    long expiresAtMs = to.nowMs() - ageMs;
    store(to, record(expiresAtMs), expiresAtMs);
  }
}
