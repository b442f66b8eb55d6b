package io.syncguard.bench.redis.limit;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.redis.Server;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RRateLimiter, all settings at their defaults. */
final class RedissonLimits implements Contestant {

  private final RedissonClient client;
  private final ConcurrentHashMap<String, RRateLimiter> limiters = new ConcurrentHashMap<>();

  RedissonLimits(Server server) {
    Config config = new Config();
    config.useSingleServer().setAddress(server.uri());
    this.client = Redisson.create(config);
  }

  private RRateLimiter limiter(String key) {
    RRateLimiter limiter = client.getRateLimiter("redisson:" + key);
    limiter.trySetRate(RateType.OVERALL, LimitReport.PLENTY, Duration.ofSeconds(1));
    return limiter;
  }

  @Override
  public void cycle(String key) {
    Contestant.require(
        limiters.computeIfAbsent(key, this::limiter).tryAcquire(), "Redisson's tryAcquire");
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
