package io.syncguard.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A Lettuce client of our own, set up for locks, with its threads. */
final class OwnClient implements AutoCloseable {

  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(1);
  private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(30);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

  private final ClientResources resources;
  private final AbstractRedisClient client;
  private final AtomicBoolean closed = new AtomicBoolean();

  private OwnClient(ClientResources resources, AbstractRedisClient client) {
    this.resources = resources;
    this.client = client;
  }

  static OwnClient of(RedisUri uri) {
    ClientResources resources =
        ClientResources.builder()
            .reconnectDelay(
                Delay.exponential(
                    Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
            .nettyCustomizer(new OneFlushForMany())
            .build();
    if (!uri.cluster()) {
      RedisClient single = RedisClient.create(resources);
      single.setOptions(settings(ClientOptions.builder()).build());
      return new OwnClient(resources, single);
    }
    RedisClusterClient cluster = RedisClusterClient.create(resources, uri.servers());
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                    .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                    .build());
    settings(options);
    cluster.setOptions(options.build());
    return new OwnClient(resources, cluster);
  }

  /**
   * Commands fail at once while there is no connection, and those under way fail when it is lost:
   * we then know that we do not know, instead of having them repeated behind our back.
   */
  private static ClientOptions.Builder settings(ClientOptions.Builder options) {
    return options
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .socketOptions(
            SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).keepAlive(true).build());
  }

  boolean isCluster() {
    return client instanceof RedisClusterClient;
  }

  RedisClient single() {
    return (RedisClient) client;
  }

  RedisClusterClient cluster() {
    return (RedisClusterClient) client;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      client.shutdown(Duration.ZERO, SHUTDOWN_TIMEOUT);
      resources
          .shutdown(0, SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .awaitUninterruptibly(SHUTDOWN_TIMEOUT.toMillis());
    }
  }
}
