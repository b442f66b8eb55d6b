package io.syncguard.redis.connection;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A Lettuce client that the store made, set up for locks, with its threads. */
public final class OwnClient implements AutoCloseable {

  /** Less would be too little for a first connection of a process, with TLS or from afar. */
  private static final Duration LEAST_TIME_TO_CONNECT = Duration.ofSeconds(1);

  /** The least of that time for each of several Sentinels, and for the master's connection. */
  private static final Duration LEAST_SHARE = Duration.ofMillis(500);

  private static final Duration LONGEST_TIME_TO_CONNECT = Duration.ofSeconds(5);
  private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(1);
  private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(30);
  static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

  private final ClientResources resources;
  private final AbstractRedisClient client;
  private final AtomicBoolean closed = new AtomicBoolean();

  private OwnClient(ClientResources resources, AbstractRedisClient client) {
    this.resources = resources;
    this.client = client;
  }

  /**
   * Returns at once a client that has not connected yet.
   *
   * @param servers one, or for a cluster any of its nodes; their timeouts are set
   * @param cluster whether they are a cluster
   * @throws io.syncguard.SyncGuardException with code INVALID_ARGUMENT if a file is not as it
   *     should be
   */
  public static OwnClient of(
      List<RedisURI> servers, boolean cluster, Duration commandTimeout, RedisTls files) {
    Duration limit = timeToConnect(commandTimeout);
    servers.forEach(server -> limit(server, limit));
    SslOptions tls = files.options(limit);
    ClientResources resources =
        ClientResources.builder()
            .reconnectDelay(
                Delay.exponential(
                    Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
            .nettyCustomizer(new OneFlushForMany())
            .build();
    if (!cluster) {
      RedisClient single = RedisClient.create(resources);
      int sentinels = servers.get(0).getSentinels().size();
      single.setOptions(settings(ClientOptions.builder(), share(limit, sentinels), tls).build());
      return new OwnClient(resources, single);
    }
    RedisClusterClient many = RedisClusterClient.create(resources, servers);
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                    .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                    .build());
    settings(options, limit, tls);
    many.setOptions(options.build());
    return new OwnClient(resources, many);
  }

  /**
   * Commands fail at once while there is no connection, and those under way fail when it is lost:
   * their outcome is then known to be unknown, and the driver repeats none of them. Lettuce's own
   * timer for each command is off: the store has one for all scripts.
   */
  private static ClientOptions.Builder settings(
      ClientOptions.Builder options, Duration connect, SslOptions tls) {
    return options
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(TimeoutOptions.create())
        .sslOptions(tls)
        .socketOptions(SocketOptions.builder().connectTimeout(connect).keepAlive(true).build());
  }

  /** Connecting, and the handshake, may take as long as a command, within these bounds. */
  private static Duration timeToConnect(Duration commandTimeout) {
    if (commandTimeout.compareTo(LEAST_TIME_TO_CONNECT) < 0) {
      return LEAST_TIME_TO_CONNECT;
    }
    return commandTimeout.compareTo(LONGEST_TIME_TO_CONNECT) > 0
        ? LONGEST_TIME_TO_CONNECT
        : commandTimeout;
  }

  /** Sentinels are asked one after the other, so each has its share of the time. */
  private static void limit(RedisURI server, Duration limit) {
    server.setTimeout(limit);
    Duration share = share(limit, server.getSentinels().size());
    server.getSentinels().forEach(sentinel -> sentinel.setTimeout(share));
  }

  private static Duration share(Duration limit, int sentinels) {
    Duration share = limit.dividedBy(Math.max(1, sentinels));
    return share.compareTo(LEAST_SHARE) < 0 ? LEAST_SHARE : share;
  }

  /** Returns whether it is for a cluster. */
  public boolean isCluster() {
    return client instanceof RedisClusterClient;
  }

  /** Returns the client for one server, or for Sentinel. */
  public RedisClient single() {
    return (RedisClient) client;
  }

  /** Returns the client for a cluster. */
  public RedisClusterClient cluster() {
    return (RedisClusterClient) client;
  }

  /** Blocks until the threads have ended, but not for long. An interrupt is kept for later. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      long limit = SHUTDOWN_TIMEOUT.toMillis();
      Connections.letEndWithin(
          SHUTDOWN_TIMEOUT, client.shutdownAsync(0, limit, TimeUnit.MILLISECONDS));
      resources.shutdown(0, limit, TimeUnit.MILLISECONDS).awaitUninterruptibly(limit);
    }
  }
}
