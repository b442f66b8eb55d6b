package io.syncguard.postgresql.contract;

import io.syncguard.testkit.ScanContract;
import io.syncguard.testkit.StoreFixture;

class PostgresScanContractTest extends ScanContract {

  @Override
  protected StoreFixture openFixture() {
    return PostgresFixture.thatLeaps(18);
  }
}
