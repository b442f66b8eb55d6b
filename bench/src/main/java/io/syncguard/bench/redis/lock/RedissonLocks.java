package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.Server;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Redisson's locks with a lease, all settings but the number of connections at their defaults. */
public final class RedissonLocks implements AsyncContestant, WaitingContestant {

  private static final long LEASE_MS = LEASE.toMillis();
  private static final int THREADS_FOR_ONE = 2;

  private final RedissonClient client;
  private final BiFunction<RedissonClient, String, RLock> kind;
  private final String prefix;

  /** Redisson tells owners apart by thread; without threads, each cycle is its own owner. */
  private final AtomicLong owners = new AtomicLong(1L << 32);

  private RedissonLocks(
      Config config, Server server, String prefix, BiFunction<RedissonClient, String, RLock> kind) {
    config.useSingleServer().setAddress(server.uri());
    this.client = Redisson.create(config);
    this.prefix = prefix;
    this.kind = kind;
  }

  static RedissonLocks plain(Server server) {
    return new RedissonLocks(new Config(), server, "redisson:", RedissonClient::getLock);
  }

  /** Locks for one thread. */
  public static RedissonLocks plainOfOneThread(Server server) {
    return new RedissonLocks(ofOneThread(), server, "redisson:", RedissonClient::getLock);
  }

  /** Fair locks for one thread. */
  public static RedissonLocks fairOfOneThread(Server server) {
    return new RedissonLocks(ofOneThread(), server, "rfair:", RedissonClient::getFairLock);
  }

  /** Without the 24 idle connections that each of many clients would have. */
  private static Config ofOneThread() {
    Config config = new Config();
    config
        .setThreads(THREADS_FOR_ONE)
        .setNettyThreads(THREADS_FOR_ONE)
        .useSingleServer()
        .setConnectionMinimumIdleSize(1);
    return config;
  }

  static RedissonLocks fenced(Server server) {
    return new RedissonLocks(new Config(), server, "rfenced:", RedissonClient::getFencedLock);
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
