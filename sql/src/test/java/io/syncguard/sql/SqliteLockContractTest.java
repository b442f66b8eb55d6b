package io.syncguard.sql;

import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;

class SqliteLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }
}
