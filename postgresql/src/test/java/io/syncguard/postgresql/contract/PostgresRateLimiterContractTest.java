package io.syncguard.postgresql.contract;

import io.syncguard.testkit.RateLimiterContract;
import io.syncguard.testkit.StoreFixture;

/**
 * The contract on the newest PostgreSQL; on one of your own if {@code SYNCGUARD_TEST_POSTGRES}
 * holds its URI.
 */
class PostgresRateLimiterContractTest extends RateLimiterContract {

  @Override
  protected StoreFixture openFixture() {
    return PostgresFixture.thatLeaps(18);
  }
}
