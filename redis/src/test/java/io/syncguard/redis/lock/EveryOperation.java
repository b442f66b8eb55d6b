package io.syncguard.redis.lock;

import static io.syncguard.testkit.StoreSuite.ask;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Every lock operation, by what it does, in every way that it can be asked for. */
final class EveryOperation {

  private static final Duration TTL = Duration.ofSeconds(30);

  private EveryOperation() {}

  /** Returns those that look at the key's record through the key, as its holder and as another. */
  static Map<String, Consumer<Store>> byKey(ResourceKey key, LockId holder) {
    LockId other = LockId.random();
    LockReference mine = new LockReference(holder, key);
    LockReference others = new LockReference(other, key);
    Map<String, Consumer<Store>> all = new LinkedHashMap<>();
    all.put("isLocked", store -> ask(store, new LockOperation.IsLocked(key)));
    all.put("lookup by key", store -> ask(store, new LockOperation.FindByKey(key)));
    all.put("acquire", store -> ask(store, new LockOperation.Acquire(key, other, TTL, false)));
    all.put(
        "acquire again", store -> ask(store, new LockOperation.Acquire(key, holder, TTL, false)));
    all.put("extend", store -> ask(store, new LockOperation.Extend(mine, TTL)));
    all.put("extend another's", store -> ask(store, new LockOperation.Extend(others, TTL)));
    all.put("release another's", store -> ask(store, new LockOperation.Release(others)));
    all.put("release", store -> ask(store, new LockOperation.Release(mine)));
    return all;
  }

  /** Returns those that find the key's record through the index. */
  static Map<String, Consumer<Store>> byLockId(LockId holder) {
    LockReference mine = new LockReference(holder, null);
    Map<String, Consumer<Store>> all = new LinkedHashMap<>();
    all.put("lookup by lockId", store -> ask(store, new LockOperation.FindById(holder)));
    all.put("extend by lockId", store -> ask(store, new LockOperation.Extend(mine, TTL)));
    all.put("release by lockId", store -> ask(store, new LockOperation.Release(mine)));
    return all;
  }

  static Map<String, Consumer<Store>> onLock(ResourceKey key, LockId holder) {
    Map<String, Consumer<Store>> all = byKey(key, holder);
    all.putAll(byLockId(holder));
    return all;
  }
}
