package io.syncguard.redis;

import io.syncguard.lock.LockId;
import io.syncguard.spi.AwaitingLockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import java.util.Optional;

/** The locks of a Redis store. */
final class RedisLocks extends AwaitingLockBackend {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities(true, TimeAuthority.SERVER);

  private final Connections connections;
  private final KeyLayout layout;

  RedisLocks(Connections connections, KeyLayout layout, RedisOptions options) {
    super(new AsyncRedisLocks(connections, layout, options));
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
}
