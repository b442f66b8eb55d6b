package io.syncguard.redis.connection;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.spi.Watch;
import io.syncguard.spi.Watches;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Connections to a cluster, each node of which tells of changes to its own keys. */
public final class ClusterConnections implements Connections {

  private static final int MOST_NAMED = 6;
  private static final long LOOK_AT_MOST_EVERY = TimeUnit.SECONDS.toNanos(1);

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<String, String> shared;
  private final AtomicBoolean trackingRefused = new AtomicBoolean();
  private final Watches<String> watches = new Watches<>();
  private final ConcurrentHashMap<String, AtomicBoolean> asked = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Tracking> trackingByNode = new ConcurrentHashMap<>();
  private final LateConnection<StatefulRedisClusterConnection<String, String>> tracked;
  private final ConcurrentHashMap<String, Silence> sharedSilences = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Silence> trackedSilences = new ConcurrentHashMap<>();
  private final AtomicInteger doubts = new AtomicInteger();
  private final List<Runnable> openMessagesAnew = new CopyOnWriteArrayList<>();
  private final Duration timeout;
  private final AtomicLong lookedAt = new AtomicLong(System.nanoTime() - LOOK_AT_MOST_EVERY);
  private volatile CompletionStage<?> looking = CompletableFuture.completedFuture(null);

  /**
   * Blocks while it connects.
   *
   * @param timeout how long a command may take
   */
  public ClusterConnections(RedisClusterClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
    this.shared = client.connect(StringCodec.UTF8);
    this.tracked = new LateConnection<>(() -> client.connectAsync(StringCodec.UTF8));
  }

  /** Returns at once the shared connection. */
  public StatefulRedisClusterConnection<String, String> shared() {
    return shared;
  }

  @Override
  public String server() {
    return shared.getPartitions().stream()
        .map(ClusterConnections::address)
        .limit(MOST_NAMED)
        .collect(Collectors.joining(", ", "Redis Cluster at ", ""));
  }

  @Override
  public BaseRedisAsyncCommands<String, String> commands() {
    return shared.async();
  }

  @Override
  public RedisKeyAsyncCommands<String, String> keys() {
    return shared.async();
  }

  @Override
  public Map<String, CompletableFuture<String>> infos() {
    Map<String, CompletableFuture<String>> infos = new TreeMap<>();
    shared
        .async()
        .upstream()
        .commands()
        .info()
        .asMap()
        .forEach((node, info) -> infos.put(address(node), info.toCompletableFuture()));
    return infos;
  }

  private static String address(RedisClusterNode node) {
    return node.getUri().getHost() + ":" + node.getUri().getPort();
  }

  @Override
  public BaseRedisAsyncCommands<String, String> watching(String key) {
    StatefulRedisClusterConnection<String, String> connection = tracked.get();
    if (connection == null) {
      connectTracked();
      return shared.async();
    }
    RedisClusterNode node = connection.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    if (node == null) {
      return shared.async();
    }
    RedisURI uri = node.getUri();
    String address = address(node);
    Tracking tracking = trackingByNode.get(address);
    if (tracking != null && tracking.isOn()) {
      return connection.async();
    }
    track(connection, uri, address);
    return shared.async();
  }

  private void track(
      StatefulRedisClusterConnection<String, String> connection, RedisURI uri, String address) {
    Tracking present = trackingByNode.get(address);
    if (present != null && !present.isDisconnected()) {
      return;
    }
    AtomicBoolean asking = asked.computeIfAbsent(address, a -> new AtomicBoolean());
    if (!asking.compareAndSet(false, true)) {
      return;
    }
    if (present != null) {
      present.forget();
      trackingByNode.remove(address, present);
    }
    CompletionStage<StatefulRedisConnection<String, String>> connecting =
        connection.getConnectionAsync(uri.getHost(), uri.getPort());
    connecting.whenComplete(
        (node, failure) -> {
          if (failure == null && node.isOpen()) {
            trackingByNode.put(
                address, new Tracking(node, timeout, watches, trackingRefused).start());
          }
          asking.set(false);
        });
  }

  /** Replicas of a cluster say where to go instead. */
  @Override
  public void leaveReplica() {}

  @Override
  public void doubt(BaseRedisAsyncCommands<String, String> commands, String key) {
    RedisClusterNode node = shared.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    if (node != null) {
      StatefulRedisClusterConnection<String, String> waiters = tracked.get();
      StatefulRedisClusterConnection<String, String> asked =
          waiters != null && commands == waiters.async() ? waiters : shared;
      RedisURI uri = node.getUri();
      silences(asked)
          .computeIfAbsent(
              address(node), address -> new Silence("Redis at " + address, timeout, doubts))
          .doubt(
              () ->
                  asked
                      .getConnectionAsync(uri.getHost(), uri.getPort())
                      .thenCompose(connection -> connection.async().ping()),
              () -> leave(asked, uri));
    }
    lookAnew();
  }

  /** A node that answers on one connection may be silent on the other. */
  private ConcurrentHashMap<String, Silence> silences(
      StatefulRedisClusterConnection<String, String> asked) {
    return asked == shared ? sharedSilences : trackedSilences;
  }

  @Override
  public boolean isInDoubt() {
    return doubts.get() > 0;
  }

  @Override
  public void heard(BaseRedisAsyncCommands<String, String> commands, String key) {
    RedisClusterNode node = shared.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    ConcurrentHashMap<String, Silence> silences =
        commands == shared.async() ? sharedSilences : trackedSilences;
    Silence silence = node == null ? null : silences.get(address(node));
    if (silence != null) {
      silence.heard();
    }
  }

  /**
   * Without an answer on the shared connection, the others lead to the same silent node. Which node
   * the messages come from is not told, so that connection is left as well.
   */
  private void leave(StatefulRedisClusterConnection<String, String> silent, RedisURI node) {
    Stream.of(silent, tracked.get())
        .filter(Objects::nonNull)
        .distinct()
        .map(connection -> connection.getConnectionAsync(node.getHost(), node.getPort()))
        .filter(connecting -> connecting.isDone() && !connecting.isCompletedExceptionally())
        .map(CompletableFuture::join)
        .forEach(Silence::leave);
    if (silent == shared) {
      openMessagesAnew.forEach(Runnable::run);
    }
  }

  /** Lettuce asks by itself when a node refuses, but not when it is silent. */
  @Override
  public void lookAnew() {
    long last = lookedAt.get();
    long now = System.nanoTime();
    if (looking.toCompletableFuture().isDone()
        && now - last >= LOOK_AT_MOST_EVERY
        && lookedAt.compareAndSet(last, now)) {
      try {
        looking = client.refreshPartitionsAsync();
      } catch (RuntimeException e) {
        // As when no node answered; the next command that fails tries again.
      }
    }
  }

  @Override
  public CompletionStage<? extends StatefulRedisPubSubConnection<String, String>>
      connectForMessages() {
    return client.connectPubSubAsync(StringCodec.UTF8);
  }

  @Override
  public void whenMessagesAreLeft(Runnable openAnew) {
    openMessagesAnew.add(openAnew);
  }

  @Override
  public boolean tellsOfChanges() {
    return !trackingRefused.get();
  }

  @Override
  public Optional<Watch> watch(String key, Runnable hint) {
    if (!tellsOfChanges()) {
      return Optional.empty();
    }
    connectTracked();
    return Optional.of(watches.add(key, hint, () -> watching(key) != shared.async()));
  }

  @Override
  public void hint(String key) {
    watches.hint(key);
  }

  private void connectTracked() {
    tracked.open(
        connection -> {
          connection.addListener((node, message) -> Tracking.hint(watches, message));
          watches.hintAll();
        });
  }

  @Override
  public void close() {
    // Netty logs errors if a client looks for masters after it is shut down.
    Connections.letEndWithin(OwnClient.SHUTDOWN_TIMEOUT, looking);
    tracked.close();
    Connections.letEndWithin(OwnClient.SHUTDOWN_TIMEOUT, shared.closeAsync());
  }
}
