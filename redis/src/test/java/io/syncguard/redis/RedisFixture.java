package io.syncguard.redis;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.spi.Store;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.RedisCluster;
import io.syncguard.testkit.server.RedisSentinel;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Redis under test, and what to close after it. */
public final class RedisFixture implements StoreFixture {

  /** With patience: a busy machine may keep a client from its connection for a while. */
  public static final RedisOptions OPTIONS =
      RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(20));

  private static final String PREFIX = "syncguard:";

  private final String uri;
  private final Runnable stop;
  private final @Nullable RedisServer server;
  private final MovableTime time = MovableTime.flowing();

  public RedisFixture(String uri, Runnable stop) {
    this(uri, stop, null);
  }

  private RedisFixture(String uri, Runnable stop, @Nullable RedisServer server) {
    this.uri = uri;
    this.stop = stop;
    this.server = server;
  }

  /** Returns one server: your own if {@code SYNCGUARD_TEST_REDIS} holds its URI. */
  public static RedisFixture onOneServer() {
    String own = System.getenv("SYNCGUARD_TEST_REDIS");
    if (own != null) {
      return new RedisFixture(own, () -> {});
    }
    RedisServer server = RedisServer.start();
    return new RedisFixture(server.uri(), server::close, server);
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
  public boolean freeAsForeignClient(String key, LockId lockId) {
    return command("DEL", PREFIX + key, PREFIX + "id:" + lockId.value());
  }

  @Override
  public boolean useUpFences(String key) {
    return command("SET", PREFIX + "fence:" + PREFIX + key, Long.toString(Fence.MAX));
  }

  private boolean command(String... words) {
    if (server == null) {
      return false;
    }
    server.command(words);
    return true;
  }

  @Override
  public List<String> keptOfQueue(String key) {
    if (server == null || !(server.command("KEYS", "*queue:*" + key) instanceof List<?> keys)) {
      return List.of();
    }
    return keys.stream().map(String::valueOf).toList();
  }

  @Override
  public void close() {
    stop.run();
  }
}
