package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.SecretContract;
import io.syncguard.testkit.StoreFixture;

/** The contract of secrets on one server. */
class RedisSecretContractTest extends SecretContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }
}
