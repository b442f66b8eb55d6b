package io.syncguard.postgresql.contract;

import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

/** The contract where waiters poll, with a pool of one connection. */
@Tag("slow")
class PollingPostgresLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return new PostgresFixture(18, "?waiting=poll&poolSize=1");
  }
}
