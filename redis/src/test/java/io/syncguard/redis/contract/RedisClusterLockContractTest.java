package io.syncguard.redis.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.RedisFixture;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
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
    return new RedisFixture(RedisFixture.uri(cluster), cluster::close);
  }

  @Test
  void itSaysWhichStoreItIsAndWhoseClockDecides() {
    assertThat(locks().capabilities())
        .isEqualTo(new LockCapabilities("redis", true, TimeAuthority.SERVER));
  }
}
