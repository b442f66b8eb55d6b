package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.CounterContract;
import io.syncguard.testkit.StoreFixture;

/** The contract of counters on one server. */
class RedisCounterContractTest extends CounterContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }
}
