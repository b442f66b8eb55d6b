package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Every lock operation, by what it does, in every way that it can be asked for. */
final class EveryOperation {

  private static final Duration TTL = Duration.ofSeconds(30);
  private static final CancelSignal NEVER = CancelSignal.never();

  private EveryOperation() {}

  /** Returns those that look at the key's record through the key, as its holder and as another. */
  static Map<String, Consumer<LockBackend>> byKey(ResourceKey key, LockId holder) {
    LockId other = LockId.random();
    LockReference mine = new LockReference(holder, key);
    LockReference others = new LockReference(other, key);
    Map<String, Consumer<LockBackend>> all = new LinkedHashMap<>();
    all.put("isLocked", locks -> locks.isLocked(key, NEVER));
    all.put("lookup by key", locks -> locks.lookup(key, NEVER));
    all.put("acquire", locks -> locks.acquire(request(key, other), NEVER));
    all.put("acquire again", locks -> locks.acquire(request(key, holder), NEVER));
    all.put("extend", locks -> locks.extend(mine, TTL, NEVER));
    all.put("extend another's", locks -> locks.extend(others, TTL, NEVER));
    all.put("release another's", locks -> locks.release(others, TTL));
    all.put("release", locks -> locks.release(mine, TTL));
    return all;
  }

  /** Returns those that find the key's record through the index. */
  static Map<String, Consumer<LockBackend>> byLockId(LockId holder) {
    LockReference mine = new LockReference(holder, null);
    Map<String, Consumer<LockBackend>> all = new LinkedHashMap<>();
    all.put("lookup by lockId", locks -> locks.lookup(holder, NEVER));
    all.put("extend by lockId", locks -> locks.extend(mine, TTL, NEVER));
    all.put("release by lockId", locks -> locks.release(mine, TTL));
    return all;
  }

  static Map<String, Consumer<LockBackend>> onLock(ResourceKey key, LockId holder) {
    Map<String, Consumer<LockBackend>> all = byKey(key, holder);
    all.putAll(byLockId(holder));
    return all;
  }

  private static AcquireRequest request(ResourceKey key, LockId lockId) {
    return new AcquireRequest(key, lockId, TTL, false);
  }
}
