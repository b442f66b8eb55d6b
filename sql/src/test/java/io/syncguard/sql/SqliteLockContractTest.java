package io.syncguard.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;
import org.junit.jupiter.api.Test;

class SqliteLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteFixture();
  }

  @Test
  void itSaysWhichStoreItIsAndWhoseClockDecides() {
    assertThat(locks().capabilities())
        .isEqualTo(new LockCapabilities("sqlite", true, TimeAuthority.CLIENT));
  }
}
