package io.syncguard.sqlite.contract;

import io.syncguard.sqlite.SqliteFixture;
import io.syncguard.testkit.SecretContract;
import io.syncguard.testkit.StoreFixture;

class SqliteSecretContractTest extends SecretContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }
}
