package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.AwaitingLockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The locks of a Redis store. */
final class RedisLocks extends AwaitingLockBackend {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities(true, TimeAuthority.SERVER);

  private final AsyncRedisLocks locks;
  private final Connections connections;
  private final KeyLayout layout;

  RedisLocks(Connections connections, KeyLayout layout, RedisOptions options) {
    this(new AsyncRedisLocks(connections, layout, options), connections, layout);
  }

  private RedisLocks(AsyncRedisLocks locks, Connections connections, KeyLayout layout) {
    super(locks);
    this.locks = locks;
    this.connections = connections;
    this.layout = layout;
  }

  @Override
  public LockCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return layout.newLockId(key);
  }

  @Override
  public Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    return connections.watch(layout.names(key).lockKey(), hint);
  }

  Scan<RawLockInfo> scan() {
    return new RedisScan<>(connections, layout.pattern(), this::recordIn);
  }

  /** A record tells which key it is for; if that is not here, it is of another prefix than ours. */
  private CompletionStage<Optional<RawLockInfo>> recordIn(String redisKey, CancelSignal signal) {
    if (!layout.mayBeLock(redisKey)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return locks
        .lookupIn(redisKey, signal)
        .thenApply(
            found ->
                found.filter(
                    info ->
                        layout.names(ResourceKey.of(info.key())).lockKey().equals(redisKey)));
  }
}
