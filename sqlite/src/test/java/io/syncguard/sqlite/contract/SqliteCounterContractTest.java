package io.syncguard.sqlite.contract;

import io.syncguard.sqlite.SqliteFixture;
import io.syncguard.testkit.CounterContract;
import io.syncguard.testkit.StoreFixture;

class SqliteCounterContractTest extends CounterContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }
}
