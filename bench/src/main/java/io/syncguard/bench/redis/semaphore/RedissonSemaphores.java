package io.syncguard.bench.redis.semaphore;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.Server;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's semaphores whose permits have a lease, all settings at their defaults. */
final class RedissonSemaphores implements WaitingContestant {

  private static final long LEASE_MS = LEASE.toMillis();

  private final RedissonClient client;
  private final int slots;
  private final Set<String> prepared = ConcurrentHashMap.newKeySet();

  RedissonSemaphores(Server server, int slots) {
    Config config = new Config();
    config.useSingleServer().setAddress(server.uri());
    this.client = Redisson.create(config);
    this.slots = slots;
  }

  /** The number of permits is set once, before the first cycle that counts. */
  private RPermitExpirableSemaphore of(String key) {
    RPermitExpirableSemaphore semaphore = client.getPermitExpirableSemaphore("redisson:" + key);
    if (prepared.add(key)) {
      semaphore.trySetPermits(slots);
    }
    return semaphore;
  }

  @Override
  public void cycle(String key) throws InterruptedException {
    RPermitExpirableSemaphore semaphore = of(key);
    String permit = semaphore.tryAcquire(0, LEASE_MS, TimeUnit.MILLISECONDS);
    Contestant.require(permit != null, "Redisson's tryAcquire");
    semaphore.release(permit);
  }

  @Override
  public Held lock(String key) throws InterruptedException {
    RPermitExpirableSemaphore semaphore = of(key);
    String permit = semaphore.acquire(LEASE_MS, TimeUnit.MILLISECONDS);
    return () -> semaphore.release(permit);
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
