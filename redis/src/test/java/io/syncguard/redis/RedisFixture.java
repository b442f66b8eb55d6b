package io.syncguard.redis;

import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;

/** A Redis under test, and what to close after it. */
final class RedisFixture implements StoreFixture {

  /** With patience: a busy machine may keep a client from its connection for a while. */
  static final RedisOptions OPTIONS =
      RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(20));

  private final String uri;
  private final Runnable stop;
  private final MovableTime time = MovableTime.flowing();

  RedisFixture(String uri, Runnable stop) {
    this.uri = uri;
    this.stop = stop;
  }

  /** One server; one of your own if {@code SYNCGUARD_TEST_REDIS} holds its URI. */
  static RedisFixture onOneServer() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisServer server = RedisServer.start();
    return new RedisFixture(server.uri(), server::close);
  }

  @Override
  public Store openClient() {
    return RedisStore.connect(uri, OPTIONS);
  }

  @Override
  public MovableTime time() {
    return time;
  }

  @Override
  public void close() {
    stop.run();
  }
}
