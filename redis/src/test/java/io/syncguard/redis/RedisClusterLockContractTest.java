package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.RedisCluster;
import org.junit.jupiter.api.Test;

/**
 * The contract on a cluster; on one of your own if {@code SYNCGUARD_TEST_REDIS_CLUSTER} holds its
 * URI.
 */
class RedisClusterLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS_CLUSTER");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisCluster cluster = RedisCluster.start();
    return new RedisFixture(clusterUri(cluster), cluster::close);
  }

  static String clusterUri(RedisCluster cluster) {
    return cluster.uris().get(0).replaceFirst("^redis:", "redis-cluster:");
  }

  @Test
  void itSaysWhichStoreItIsAndWhoseClockDecides() {
    assertThat(locks().capabilities())
        .isEqualTo(new LockCapabilities("redis", true, TimeAuthority.SERVER));
  }
}
