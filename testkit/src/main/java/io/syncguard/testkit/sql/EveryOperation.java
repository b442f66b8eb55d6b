package io.syncguard.testkit.sql;

import static io.syncguard.testkit.sql.BareLocks.TTL;

import io.syncguard.lock.LockId;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.spi.Operation;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.secret.NewSecret;
import io.syncguard.spi.secret.ProofHash;
import io.syncguard.spi.secret.SecretOperation;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every operation on a key, by what it does. */
public final class EveryOperation {

  private EveryOperation() {}

  /** Returns those that change something. */
  public static Map<String, LockOperation<?>> thatWrite(String key, LockId lockId) {
    ResourceKey resource = ResourceKey.of(key);
    LockReference lock = new LockReference(lockId, resource);
    Map<String, LockOperation<?>> all = new LinkedHashMap<>();
    all.put("acquire", new LockOperation.Acquire(resource, lockId, TTL, false));
    all.put("extend", new LockOperation.Extend(lock, TTL));
    all.put("release", new LockOperation.Release(lock));
    return all;
  }

  /** Returns those that only look. */
  public static Map<String, LockOperation<?>> thatRead(String key, LockId lockId) {
    ResourceKey resource = ResourceKey.of(key);
    Map<String, LockOperation<?>> all = new LinkedHashMap<>();
    all.put("isLocked", new LockOperation.IsLocked(resource));
    all.put("lookup by key", new LockOperation.FindByKey(resource));
    all.put("lookup by lockId", new LockOperation.FindById(lockId));
    return all;
  }

  /** Returns those on secrets, counters and rate limiters, whose key this is. */
  public static Map<String, Operation<?>> onSecretsAndLimits(String key) {
    ResourceKey resource = ResourceKey.of(key);
    SecretId id = SecretId.random();
    NewSecret secret = new NewSecret(id, new byte[] {1}, ProofHash.NONE, Views.of(2), TTL);
    Map<String, Operation<?>> all = new LinkedHashMap<>();
    all.put("put", new SecretOperation.Put(secret));
    all.put("view", new SecretOperation.View(id, ProofHash.NONE));
    all.put("peek", new SecretOperation.Peek(id));
    all.put("burn", new SecretOperation.Burn(id));
    all.put("increment", new LimitOperation.Increment(resource, 9, TTL));
    all.put("current", new LimitOperation.Current(resource));
    all.put("reset", new LimitOperation.Reset(resource));
    all.put("acquire a rate", new LimitOperation.Take(resource, TTL, TTL));
    return all;
  }

  /** Returns those on locks. */
  public static Map<String, LockOperation<?>> onLock(String key, LockId lockId) {
    Map<String, LockOperation<?>> all = thatRead(key, lockId);
    all.putAll(thatWrite(key, lockId));
    return all;
  }
}
