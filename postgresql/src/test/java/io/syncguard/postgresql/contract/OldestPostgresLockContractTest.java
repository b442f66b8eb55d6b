package io.syncguard.postgresql.contract;

import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;

/** The contract on the oldest PostgreSQL that is supported. */
class OldestPostgresLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return new PostgresFixture(15, "");
  }
}
