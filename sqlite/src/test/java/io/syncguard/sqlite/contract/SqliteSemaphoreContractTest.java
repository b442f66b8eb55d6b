package io.syncguard.sqlite.contract;

import io.syncguard.sqlite.SqliteFixture;
import io.syncguard.testkit.SemaphoreContract;
import io.syncguard.testkit.StoreFixture;

class SqliteSemaphoreContractTest extends SemaphoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }

  @Override
  public int handOffs() {
    return 400;
  }

  @Override
  public int manyWaiters() {
    return 500;
  }
}
