package io.syncguard.redis;

import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;

/** The contract on one server; on one of your own if {@code SYNCGUARD_TEST_REDIS} holds its URI. */
class RedisLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }
}
