package io.syncguard.sqlite.contract;

import io.syncguard.sqlite.SqliteFixture;
import io.syncguard.testkit.RateLimiterContract;
import io.syncguard.testkit.StoreFixture;

class SqliteRateLimiterContractTest extends RateLimiterContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }
}
