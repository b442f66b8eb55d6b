package io.syncguard.redis;

import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.RedisCluster;
import io.syncguard.testkit.server.RedisSentinel;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;

/** A Redis under test, and what to close after it. */
public final class RedisFixture implements StoreFixture {

  /** With patience: a busy machine may keep a client from its connection for a while. */
  public static final RedisOptions OPTIONS =
      RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(20));

  private final String uri;
  private final Runnable stop;
  private final MovableTime time = MovableTime.flowing();

  public RedisFixture(String uri, Runnable stop) {
    this.uri = uri;
    this.stop = stop;
  }

  /** Returns one server: your own if {@code SYNCGUARD_TEST_REDIS} holds its URI. */
  public static RedisFixture onOneServer() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisServer server = RedisServer.start();
    return new RedisFixture(server.uri(), server::close);
  }

  /** Returns the URI of a cluster. */
  public static String uri(RedisCluster cluster) {
    return cluster.uris().get(0).replaceFirst("^redis:", "redis-cluster:");
  }

  /** Returns the URI of the master that the Sentinels name. */
  public static String uri(RedisSentinel sentinel) {
    return "redis-sentinel://"
        + String.join(",", sentinel.sentinelAddresses())
        + "/0#"
        + sentinel.masterName();
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
