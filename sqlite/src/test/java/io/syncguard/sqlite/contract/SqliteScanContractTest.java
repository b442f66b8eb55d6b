package io.syncguard.sqlite.contract;

import io.syncguard.sqlite.SqliteFixture;
import io.syncguard.testkit.ScanContract;
import io.syncguard.testkit.StoreFixture;

class SqliteScanContractTest extends ScanContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }
}
