package io.syncguard.redis;

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
import io.syncguard.spi.LockWatch;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Connections to a cluster, whose nodes each tell of changes to their own keys. */
final class ClusterConnections implements Connections {

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<String, String> shared;
  private final AtomicBoolean trackingRefused = new AtomicBoolean();
  private final Watches watches = new Watches();
  private final ConcurrentHashMap<String, AtomicBoolean> asked = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Tracking> trackingByNode = new ConcurrentHashMap<>();
  private final LateConnection<StatefulRedisClusterConnection<String, String>> tracked;

  ClusterConnections(RedisClusterClient client) {
    this.client = client;
    this.shared = client.connect(StringCodec.UTF8);
    this.tracked = new LateConnection<>(() -> client.connectAsync(StringCodec.UTF8));
  }

  StatefulRedisClusterConnection<String, String> shared() {
    return shared;
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
  public BaseRedisAsyncCommands<String, String> watching(String lockKey) {
    StatefulRedisClusterConnection<String, String> connection = tracked.get();
    if (connection == null) {
      connectTracked();
      return shared.async();
    }
    RedisClusterNode node = connection.getPartitions().getMasterBySlot(SlotHash.getSlot(lockKey));
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
          if (failure == null) {
            trackingByNode.put(address, new Tracking(node, watches, trackingRefused).start());
          }
          asking.set(false);
        });
  }

  /** Replicas of a cluster say where to go instead. */
  @Override
  public void leaveReplica() {}

  @Override
  public CompletionStage<? extends StatefulRedisPubSubConnection<String, String>>
      connectForMessages() {
    return client.connectPubSubAsync(StringCodec.UTF8);
  }

  @Override
  public boolean tellsOfChanges() {
    return !trackingRefused.get();
  }

  @Override
  public Optional<LockWatch> watch(String lockKey, Runnable hint) {
    if (!tellsOfChanges()) {
      return Optional.empty();
    }
    connectTracked();
    return Optional.of(watches.add(lockKey, hint, () -> watching(lockKey) != shared.async()));
  }

  @Override
  public void hint(String key) {
    watches.hint(key);
  }

  private void connectTracked() {
    tracked.open(
        connection -> {
          connection.addListener((node, message) -> watches.onPush(message));
          watches.hintAll();
        });
  }

  @Override
  public void close() {
    tracked.close();
    shared.close();
  }
}
