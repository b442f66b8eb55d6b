package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.Server;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's registry over Lettuce, all other settings at their defaults. */
public final class SpringLocks implements WaitingContestant {

  private final LettuceConnectionFactory connections;
  private final RedisLockRegistry registry;

  private SpringLocks(Server server, String name, RedisLockType type) {
    this.connections = server.springConnections();
    this.registry = new RedisLockRegistry(connections, name, LEASE.toMillis());
    registry.setRedisLockType(type);
  }

  static SpringLocks spinning(Server server) {
    return new SpringLocks(server, "spring-spin", RedisLockType.SPIN_LOCK);
  }

  public static SpringLocks notified(Server server) {
    return new SpringLocks(server, "spring-push", RedisLockType.PUB_SUB_LOCK);
  }

  /** With time to wait, because keys of other threads may share a local lock with this one. */
  @Override
  public void cycle(String key) throws InterruptedException {
    Lock lock = registry.obtain(key);
    Contestant.require(lock.tryLock(10, TimeUnit.SECONDS), "Spring Integration's tryLock");
    lock.unlock();
  }

  @Override
  public Held lock(String key) {
    Lock lock = registry.obtain(key);
    lock.lock();
    return lock::unlock;
  }

  @Override
  public void close() {
    registry.destroy();
    connections.destroy();
  }
}
