package io.syncguard.redis.semaphore;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.connection.LateConnection;
import io.syncguard.redis.failure.RedisFailures;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Hears what the scripts publish of grants to this process's waiters, on a separate connection. A
 * script that finds no listener tells the waiter by its list instead. Thread-safe.
 */
final class GrantNotices extends RedisPubSubAdapter<String, String>
    implements RedisConnectionStateListener {

  private final String channel;
  private final Consumer<String> granted;
  private final Runnable back;
  private final LateConnection<StatefulRedisPubSubConnection<String, String>> connection;
  private volatile boolean on;

  /**
   * Hears nothing until it is started.
   *
   * @param granted takes what is published; must not block
   * @param back runs when grants may have been missed; must not block
   */
  GrantNotices(Connections connections, String channel, Consumer<String> granted, Runnable back) {
    this.connection = new LateConnection<>(connections::connectForMessages);
    this.channel = channel;
    this.granted = granted;
    this.back = back;
    connections.whenMessagesAreLeft(this::startAnew);
  }

  boolean isOn() {
    return on;
  }

  /**
   * Begins to connect, unless that is done or under way; after a failure the next call tries again.
   */
  void start() {
    connection.open(this::subscribe);
  }

  /** Until it is back, waiters are told by their lists; none has a connection before the first. */
  private void startAnew() {
    if (connection.get() != null) {
      on = false;
      connection.drop();
      start();
    }
  }

  /** Where Redis refuses, waiters are told by their lists. */
  private void subscribe(StatefulRedisPubSubConnection<String, String> opened) {
    opened.addListener((RedisConnectionStateListener) this);
    opened.addListener((RedisPubSubListener<String, String>) this);
    CompletionStage<Void> subscribing = opened.async().subscribe(channel);
    subscribing.whenComplete(
        (done, failure) -> {
          if (failure != null && !RedisFailures.isAnswer(failure)) {
            connection.drop();
          }
        });
  }

  void close() {
    connection.close();
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
    if (handler == connection.get()) {
      on = false;
    }
  }
}
