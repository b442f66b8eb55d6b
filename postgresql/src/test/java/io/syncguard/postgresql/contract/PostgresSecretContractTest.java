package io.syncguard.postgresql.contract;

import io.syncguard.testkit.SecretContract;
import io.syncguard.testkit.StoreFixture;

/**
 * The contract on the newest PostgreSQL; on one of your own if {@code SYNCGUARD_TEST_POSTGRES}
 * holds its URI.
 */
class PostgresSecretContractTest extends SecretContract {

  @Override
  protected StoreFixture openFixture() {
    return PostgresFixture.thatLeaps(18);
  }
}
