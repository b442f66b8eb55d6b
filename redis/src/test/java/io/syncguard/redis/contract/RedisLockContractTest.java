package io.syncguard.redis.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.RedisFixture;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;
import org.junit.jupiter.api.Test;

/** The contract on one server; on one of your own if {@code SYNCGUARD_TEST_REDIS} holds its URI. */
class RedisLockContractTest extends LockContract {

  @Override
  protected StoreFixture openFixture() {
    return RedisFixture.onOneServer();
  }

  @Test
  void itSaysWhichStoreItIsAndWhoseClockDecides() {
    assertThat(locks().capabilities())
        .isEqualTo(new LockCapabilities("redis", true, TimeAuthority.SERVER));
  }
}
