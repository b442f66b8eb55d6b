package io.syncguard.postgresql.contract;

import io.syncguard.testkit.SemaphoreContract;
import io.syncguard.testkit.StoreFixture;

/**
 * The contract on the newest PostgreSQL; on one of your own if {@code SYNCGUARD_TEST_POSTGRES}
 * holds its URI.
 */
class PostgresSemaphoreContractTest extends SemaphoreContract {

  @Override
  protected StoreFixture openFixture() {
    return PostgresFixture.thatLeaps(18);
  }

  @Override
  public int handOffs() {
    return 800;
  }

  @Override
  public int manyWaiters() {
    return 1000;
  }
}
