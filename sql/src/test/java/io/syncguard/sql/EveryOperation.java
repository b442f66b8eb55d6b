package io.syncguard.sql;

import io.syncguard.lock.LockId;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.spi.CountRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.NewSecret;
import io.syncguard.spi.ProofHash;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Every operation on a key, by what it does. */
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

  /** Returns those on secrets, counters and rate limiters, whose key this is. */
  static Map<String, Consumer<Store>> onSecretsAndLimits(String key) {
    ResourceKey resource = ResourceKey.of(key);
    SecretId id = SecretId.random();
    NewSecret secret =
        new NewSecret(id, new byte[] {1}, ProofHash.NONE, Views.of(2), OnPostgres.TTL);
    Map<String, Consumer<Store>> all = new LinkedHashMap<>();
    all.put("put", store -> store.secrets().put(secret, OnPostgres.NEVER));
    all.put("view", store -> store.secrets().view(id, ProofHash.NONE, OnPostgres.NEVER));
    all.put("peek", store -> store.secrets().peek(id, OnPostgres.NEVER));
    all.put("burn", store -> store.secrets().burn(id, OnPostgres.NEVER));
    all.put(
        "increment",
        store ->
            store
                .limits()
                .increment(new CountRequest(resource, 9, OnPostgres.TTL), OnPostgres.NEVER));
    all.put("current", store -> store.limits().current(resource, OnPostgres.NEVER));
    all.put("reset", store -> store.limits().reset(resource, OnPostgres.NEVER));
    all.put(
        "acquire a rate",
        store ->
            store
                .limits()
                .acquire(
                    new RateRequest(resource, OnPostgres.TTL, OnPostgres.TTL), OnPostgres.NEVER));
    return all;
  }

  static Map<String, Consumer<LockBackend>> onLock(String key, LockId lockId) {
    Map<String, Consumer<LockBackend>> all = thatRead(key, lockId);
    all.putAll(thatWrite(key, lockId));
    return all;
  }
}
