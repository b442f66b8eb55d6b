package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.RedisSentinel;

/**
 * The contract through Sentinel; through one of your own if {@code SYNCGUARD_TEST_REDIS_SENTINEL}
 * is set.
 */
class RedisSentinelLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS_SENTINEL");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisSentinel sentinel = RedisSentinel.start();
    return new RedisFixture(RedisFixture.uri(sentinel), sentinel::close);
  }
}
