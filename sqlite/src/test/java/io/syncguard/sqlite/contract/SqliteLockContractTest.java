package io.syncguard.sqlite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.sqlite.SqliteFixture;
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
