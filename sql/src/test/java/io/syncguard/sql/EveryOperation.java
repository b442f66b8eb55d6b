package io.syncguard.sql;

import io.syncguard.lock.LockId;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Every lock operation on a key, by what it does. */
final class EveryOperation {

  private EveryOperation() {}

  /** Returns those that change something. */
  static Map<String, Consumer<LockBackend>> thatWrite(String key, LockId lockId) {
    LockReference lock = new LockReference(lockId, ResourceKey.of(key));
    Map<String, Consumer<LockBackend>> all = new LinkedHashMap<>();
    all.put("acquire", locks -> OnPostgres.acquire(locks, key, lockId));
    all.put("extend", locks -> locks.extend(lock, OnPostgres.TTL, OnPostgres.NEVER));
    all.put("release", locks -> locks.release(lock, OnPostgres.TTL));
    return all;
  }

  /** Returns those that only look. */
  static Map<String, Consumer<LockBackend>> thatRead(String key, LockId lockId) {
    ResourceKey resource = ResourceKey.of(key);
    Map<String, Consumer<LockBackend>> all = new LinkedHashMap<>();
    all.put("isLocked", locks -> locks.isLocked(resource, OnPostgres.NEVER));
    all.put("lookup by key", locks -> locks.lookup(resource, OnPostgres.NEVER));
    all.put("lookup by lockId", locks -> locks.lookup(lockId, OnPostgres.NEVER));
    return all;
  }

  static Map<String, Consumer<LockBackend>> onLock(String key, LockId lockId) {
    Map<String, Consumer<LockBackend>> all = thatRead(key, lockId);
    all.putAll(thatWrite(key, lockId));
    return all;
  }
}
