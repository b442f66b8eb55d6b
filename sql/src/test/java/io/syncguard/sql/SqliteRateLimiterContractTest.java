package io.syncguard.sql;

import io.syncguard.testkit.RateLimiterContract;
import io.syncguard.testkit.StoreFixture;

class SqliteRateLimiterContractTest extends RateLimiterContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }
}
