package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.SemaphoreContract;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.RedisCluster;

/**
 * The contract on a cluster; on one of your own if {@code SYNCGUARD_TEST_REDIS_CLUSTER} holds its
 * URI.
 */
class RedisClusterSemaphoreContractTest extends SemaphoreContract {

  @Override
  protected StoreFixture openFixture() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS_CLUSTER");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisCluster cluster = RedisCluster.start();
    return new RedisFixture(RedisFixture.uri(cluster), cluster::close);
  }

  @Override
  public int handOffs() {
    return 1000;
  }

  @Override
  public int manyWaiters() {
    return 1000;
  }
}
