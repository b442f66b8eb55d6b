package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.RateLimiterContract;
import io.syncguard.testkit.StoreFixture;

/** The contract of rate limiters on one server. */
class RedisRateLimiterContractTest extends RateLimiterContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }
}
