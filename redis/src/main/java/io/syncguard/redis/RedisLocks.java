package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.AwaitingLockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The locks of a Redis store. */
final class RedisLocks extends AwaitingLockBackend {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("redis", true, TimeAuthority.SERVER);

  private final Connections connections;
  private final KeyLayout layout;
  private final Duration timeout;
  private final ScriptRunner lookups;

  RedisLocks(Connections connections, KeyLayout layout, RedisOptions options, ScriptRunner runner) {
    super(new AsyncRedisLocks(connections, layout, options, runner));
    this.connections = connections;
    this.layout = layout;
    this.timeout = options.commandTimeout();
    this.lookups = runner;
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
    return new RedisScan<>(connections, timeout, layout.pattern(), this::lockIn);
  }

  private CompletionStage<Optional<RawLockInfo>> lockIn(String redisKey, CancelSignal signal) {
    return layout.mayBeLock(redisKey)
        ? lookups.run(
            connections.commands(),
            new ScriptRunner.Call(Script.LOOKUP, List.of(redisKey), List.of()),
            answer -> RecordText.found(answer).filter(lock -> isIn(redisKey, lock)),
            SyncGuardException.Context.NONE,
            signal)
        : CompletableFuture.completedFuture(Optional.empty());
  }

  /** What begins with our prefix may be a lock of a longer prefix. */
  private boolean isIn(String redisKey, RawLockInfo lock) {
    return layout.names(ResourceKey.of(lock.key())).lockKey().equals(redisKey);
  }
}
