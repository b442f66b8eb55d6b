package io.syncguard.postgresql.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;
import org.junit.jupiter.api.Test;

/**
 * The contract on the newest PostgreSQL; on one of your own if {@code SYNCGUARD_TEST_POSTGRES}
 * holds its URI.
 */
class PostgresLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return new PostgresFixture(18, "");
  }

  @Test
  void itSaysWhichStoreItIsAndWhoseClockDecides() {
    assertThat(locks().capabilities())
        .isEqualTo(new LockCapabilities("postgresql", true, TimeAuthority.SERVER));
  }
}
