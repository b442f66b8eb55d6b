package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.SemaphoreContract;
import io.syncguard.testkit.StoreFixture;

/** The contract on one server; on one of your own if {@code SYNCGUARD_TEST_REDIS} holds its URI. */
class RedisSemaphoreContractTest extends SemaphoreContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }
}
