package io.syncguard.redis;

import io.syncguard.testkit.SemaphoreContract;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.RedisServer;

/** The contract on one server; on one of your own if {@code SYNCGUARD_TEST_REDIS} holds its URI. */
class RedisSemaphoreContractTest extends SemaphoreContract {

  @Override
  protected StoreFixture openFixture() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisServer server = RedisServer.start();
    return new RedisFixture(server.uri(), server::close);
  }
}
