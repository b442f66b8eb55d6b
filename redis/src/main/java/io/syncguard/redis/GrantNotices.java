package io.syncguard.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears what the scripts publish of grants to this process's waiters, on a connection of its own. A
 * script that finds nobody listening tells the waiter by its list instead. Thread-safe.
 */
final class GrantNotices extends RedisPubSubAdapter<String, String>
    implements RedisConnectionStateListener {

  private final Connections connections;
  private final String channel;
  private final Consumer<String> granted;
  private final Runnable back;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile @Nullable StatefulRedisPubSubConnection<String, String> connection;
  private volatile boolean on;
  private volatile boolean closed;

  /**
   * Hears nothing until it is started.
   *
   * @param granted takes what is published; must not block
   * @param back runs when grants may have been missed; must not block
   */
  GrantNotices(Connections connections, String channel, Consumer<String> granted, Runnable back) {
    this.connections = connections;
    this.channel = channel;
    this.granted = granted;
    this.back = back;
  }

  boolean isOn() {
    return on;
  }

  /** Connects unless that is done or under way; what failed is tried again by the next call. */
  void start() {
    if (!started.compareAndSet(false, true)) {
      return;
    }
    try {
      CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connecting =
          connections.connectForMessages();
      connecting.whenComplete(
          (opened, failure) -> {
            if (failure == null) {
              subscribe(opened);
            } else {
              started.set(false);
            }
          });
    } catch (RuntimeException e) {
      // As when the store is being closed.
      started.set(false);
    }
  }

  /** Where Redis refuses, that is that: waiters are told by their lists. */
  private void subscribe(StatefulRedisPubSubConnection<String, String> opened) {
    connection = opened;
    opened.addListener((RedisConnectionStateListener) this);
    opened.addListener((RedisPubSubListener<String, String>) this);
    CompletionStage<Void> subscribing = opened.async().subscribe(channel);
    subscribing.whenComplete(
        (done, failure) -> {
          if (failure != null && !RedisFailures.isAnswer(failure)) {
            Connections.letEnd(opened.closeAsync());
            started.set(false);
          }
        });
    if (closed) {
      Connections.letEnd(opened.closeAsync());
    }
  }

  void close() {
    closed = true;
    StatefulRedisPubSubConnection<String, String> opened = connection;
    if (opened != null) {
      opened.close();
    }
  }

  @Override
  public void subscribed(String to, long count) {
    on = true;
    back.run();
  }

  @Override
  public void message(String from, String member) {
    granted.accept(member);
  }

  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
    on = false;
  }
}
