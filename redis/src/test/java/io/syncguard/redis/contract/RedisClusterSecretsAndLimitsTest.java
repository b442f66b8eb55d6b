package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.StoreContract;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.limit.CounterSuite;
import io.syncguard.testkit.limit.RateLimiterSuite;
import io.syncguard.testkit.scan.LockScanSuite;
import io.syncguard.testkit.scan.SemaphoreScanSuite;
import io.syncguard.testkit.secret.PayloadSuite;
import io.syncguard.testkit.secret.ViewSuite;
import io.syncguard.testkit.server.RedisCluster;

/**
 * What of the contracts of secrets, counters, rate limiters and lists depends on where a key is, on
 * one cluster; on one of your own if {@code SYNCGUARD_TEST_REDIS_CLUSTER} holds its URI.
 */
class RedisClusterSecretsAndLimitsTest extends StoreContract
    implements ViewSuite,
        PayloadSuite,
        CounterSuite,
        RateLimiterSuite,
        LockScanSuite,
        SemaphoreScanSuite {

  @Override
  protected StoreFixture openFixture() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS_CLUSTER");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisCluster cluster = RedisCluster.start();
    return new RedisFixture(RedisFixture.uri(cluster), cluster::close);
  }
}
