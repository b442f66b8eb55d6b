package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.Server;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock over Spring Data and Lettuce. */
final class ShedLocks implements Contestant {

  private final LettuceConnectionFactory connections;
  private final LockProvider provider;

  ShedLocks(Server server) {
    this.connections = server.springConnections();
    this.provider = new RedisLockProvider.Builder(connections).environment("bench").build();
  }

  @Override
  public void cycle(String key) {
    Optional<SimpleLock> lock =
        provider.lock(new LockConfiguration(Instant.now(), key, LEASE, Duration.ZERO));
    lock.orElseThrow().unlock();
  }

  @Override
  public void close() {
    connections.destroy();
  }
}
