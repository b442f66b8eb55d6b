package io.syncguard.redis.contract;

import io.syncguard.redis.RedisFixture;
import io.syncguard.testkit.ScanContract;
import io.syncguard.testkit.StoreFixture;

/** The contract of lists on one server. */
class RedisScanContractTest extends ScanContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }
}
