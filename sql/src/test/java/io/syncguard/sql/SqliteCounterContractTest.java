package io.syncguard.sql;

import io.syncguard.testkit.CounterContract;
import io.syncguard.testkit.StoreFixture;

class SqliteCounterContractTest extends CounterContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }
}
