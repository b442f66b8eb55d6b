package io.syncguard.redis;

import io.syncguard.testkit.SecretContract;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.limit.CounterSuite;
import io.syncguard.testkit.limit.CounterWindowSuite;
import io.syncguard.testkit.limit.RateLimiterSuite;
import io.syncguard.testkit.limit.RateWaitSuite;
import io.syncguard.testkit.server.RedisCluster;

/**
 * The contracts of secrets, counters and rate limiters on one cluster; on one of your own if {@code
 * SYNCGUARD_TEST_REDIS_CLUSTER} holds its URI.
 */
class RedisClusterSecretsAndLimitsTest extends SecretContract
    implements CounterSuite, CounterWindowSuite, RateLimiterSuite, RateWaitSuite {

  @Override
  protected StoreFixture openFixture() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS_CLUSTER");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisCluster cluster = RedisCluster.start();
    return new RedisFixture(RedisClusterLockContractTest.clusterUri(cluster), cluster::close);
  }
}
