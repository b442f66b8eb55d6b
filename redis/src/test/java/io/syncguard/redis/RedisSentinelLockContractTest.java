package io.syncguard.redis;

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
    return new RedisFixture(sentinelUri(sentinel), sentinel::close);
  }

  static String sentinelUri(RedisSentinel sentinel) {
    return "redis-sentinel://"
        + String.join(",", sentinel.sentinelAddresses())
        + "/0#"
        + sentinel.masterName();
  }
}
