package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.Server;
import io.syncguard.bench.redis.WaitingContestant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Redisson's locks with a lease, all settings at their defaults. */
final class RedissonLocks implements AsyncContestant, WaitingContestant {

  private static final long LEASE_MS = LEASE.toMillis();

  private final RedissonClient client;
  private final BiFunction<RedissonClient, String, RLock> kind;
  private final String prefix;

  /** Redisson tells owners apart by thread; without threads, each cycle is its own owner. */
  private final AtomicLong owners = new AtomicLong(1L << 32);

  private RedissonLocks(
      Server server, String prefix, BiFunction<RedissonClient, String, RLock> kind) {
    Config config = new Config();
    config.useSingleServer().setAddress(server.uri());
    this.client = Redisson.create(config);
    this.prefix = prefix;
    this.kind = kind;
  }

  static RedissonLocks plain(Server server) {
    return new RedissonLocks(server, "redisson:", RedissonClient::getLock);
  }

  static RedissonLocks fenced(Server server) {
    return new RedissonLocks(server, "rfenced:", RedissonClient::getFencedLock);
  }

  static String pools() {
    SingleServerConfig defaults = new Config().useSingleServer();
    return "up to "
        + defaults.getConnectionPoolSize()
        + " connections for commands ("
        + defaults.getConnectionMinimumIdleSize()
        + " from the start) and "
        + defaults.getSubscriptionConnectionPoolSize()
        + " for subscriptions";
  }

  private RLock of(String key) {
    return kind.apply(client, prefix + key);
  }

  @Override
  public void cycle(String key) throws InterruptedException {
    RLock lock = of(key);
    Contestant.require(lock.tryLock(0, LEASE_MS, TimeUnit.MILLISECONDS), "Redisson's tryLock");
    lock.unlock();
  }

  @Override
  public CompletionStage<?> cycleAsync(String key) {
    RLock lock = of(key);
    long owner = owners.incrementAndGet();
    return lock.tryLockAsync(0, LEASE_MS, TimeUnit.MILLISECONDS, owner)
        .thenCompose(
            locked -> {
              Contestant.require(locked, "Redisson's tryLockAsync");
              return lock.unlockAsync(owner);
            });
  }

  @Override
  public Held lock(String key) {
    RLock lock = of(key);
    lock.lock(LEASE_MS, TimeUnit.MILLISECONDS);
    return lock::unlock;
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
