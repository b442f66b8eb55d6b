package io.syncguard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import org.junit.jupiter.api.Test;

class MemoryLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return new MemoryFixture();
  }

  @Test
  void itSaysWhichStoreItIsAndWhoseClockDecides() {
    assertThat(locks().capabilities())
        .isEqualTo(new LockCapabilities("memory", true, TimeAuthority.SERVER));
  }
}
