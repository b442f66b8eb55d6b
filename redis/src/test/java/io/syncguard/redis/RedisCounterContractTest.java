package io.syncguard.redis;

import io.syncguard.testkit.CounterContract;
import io.syncguard.testkit.StoreFixture;

/** The contract of counters on one server. */
class RedisCounterContractTest extends CounterContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }
}
