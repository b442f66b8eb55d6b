package io.syncguard.redis.connection;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.redis.failure.ConnectFailures;
import io.syncguard.spi.Watch;
import io.syncguard.spi.Watches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Connections to one server, or to the master that Sentinel names. */
public final class StandaloneConnections implements Connections {

  /** More often is of no use: Sentinel takes its time to name the new master. */
  private static final Duration LEAST_TIME_TO_STAY = Duration.ofSeconds(1);

  private final RedisClient client;
  private final RedisURI uri;
  private final StatefulRedisConnection<String, String> shared;
  private final AtomicBoolean trackingRefused = new AtomicBoolean();
  private final Watches<String> watches = new Watches<>();
  private final LateConnection<StatefulRedisConnection<String, String>> tracked;
  private final Duration timeout;
  private final AtomicInteger doubts = new AtomicInteger();

  /** As long as they are used; those that were given up are forgotten. */
  private final Set<StatefulRedisConnection<String, String>> messages =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Silence sharedSilence;
  private final Silence trackedSilence;
  private final AtomicLong leftAt =
      new AtomicLong(System.nanoTime() - LEAST_TIME_TO_STAY.toNanos());
  private volatile @Nullable Tracking tracking;

  /**
   * Blocks while it connects.
   *
   * @param timeout how long a command may take
   */
  public StandaloneConnections(RedisClient client, RedisURI uri, Duration timeout) {
    this.client = client;
    this.uri = uri;
    this.timeout = timeout;
    this.sharedSilence = new Silence("Redis", timeout, doubts);
    this.trackedSilence = new Silence("Redis", timeout, doubts);
    this.shared = client.connect(StringCodec.UTF8, uri);
    this.tracked = new LateConnection<>(() -> client.connectAsync(StringCodec.UTF8, uri));
  }

  /** Returns at once the shared connection. */
  public StatefulRedisConnection<String, String> shared() {
    return shared;
  }

  @Override
  public String server() {
    return "Redis at " + ConnectFailures.addresses(List.of(uri));
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
    return Map.of("", shared.async().info().toCompletableFuture());
  }

  @Override
  public BaseRedisAsyncCommands<String, String> watching(String key) {
    StatefulRedisConnection<String, String> connection = tracked.get();
    Tracking state = tracking;
    if (connection == null) {
      connectTracked();
    }
    return connection != null && state != null && state.isOn()
        ? connection.async()
        : shared.async();
  }

  /**
   * A master that becomes a replica keeps its clients, and Lettuce asks where the master is only
   * when it connects. So the server is asked to end the connections.
   */
  @Override
  public void leaveReplica() {
    long last = leftAt.get();
    long now = System.nanoTime();
    if (shared.getOptions().isAutoReconnect()
        && now - last >= LEAST_TIME_TO_STAY.toNanos()
        && leftAt.compareAndSet(last, now)) {
      all().forEach(connection -> Connections.letEnd(connection.async().quit()));
    }
  }

  /** Without an answer on the shared connection, the others lead to the same silent server. */
  @Override
  public void doubt(BaseRedisAsyncCommands<String, String> commands, String key) {
    StatefulRedisConnection<String, String> waiters = tracked.get();
    if (waiters != null && commands == waiters.async()) {
      trackedSilence.doubt(waiters.async()::ping, () -> Silence.leave(waiters));
    } else {
      sharedSilence.doubt(shared.async()::ping, this::leaveAll);
    }
  }

  @Override
  public boolean isInDoubt() {
    return doubts.get() > 0;
  }

  @Override
  public void heard(BaseRedisAsyncCommands<String, String> commands, String key) {
    (commands == shared.async() ? sharedSilence : trackedSilence).heard();
  }

  private void leaveAll() {
    all().forEach(Silence::leave);
  }

  private List<StatefulRedisConnection<String, String>> all() {
    List<StatefulRedisConnection<String, String>> all = new ArrayList<>(List.of(shared));
    StatefulRedisConnection<String, String> waiters = tracked.get();
    if (waiters != null) {
      all.add(waiters);
    }
    synchronized (messages) {
      all.addAll(messages);
    }
    return all;
  }

  /** Lettuce asks where the master is whenever it tries to connect anew. */
  @Override
  public void lookAnew() {}

  @Override
  public CompletionStage<? extends StatefulRedisPubSubConnection<String, String>>
      connectForMessages() {
    return client
        .connectPubSubAsync(StringCodec.UTF8, uri)
        .thenApply(
            connection -> {
              messages.add(connection);
              return connection;
            });
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
          connection.addListener(message -> Tracking.hint(watches, message));
          tracking = new Tracking(connection, timeout, watches, trackingRefused).start();
        });
  }

  @Override
  public void close() {
    tracked.close();
    Connections.letEndWithin(OwnClient.SHUTDOWN_TIMEOUT, shared.closeAsync());
  }
}
