package io.syncguard.redis.connection;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.redis.failure.RedisFailures;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Hears what is published on one channel, on a separate connection that is opened when it is first
 * of use. What is published while there is no connection is lost. Thread-safe.
 */
public final class Messages extends RedisPubSubAdapter<String, String>
    implements RedisConnectionStateListener {

  private final String channel;
  private final Consumer<String> heard;
  private final Runnable back;
  private final LateConnection<StatefulRedisPubSubConnection<String, String>> connection;
  private volatile boolean on;
  private volatile boolean refused;

  /**
   * Hears nothing until it is started.
   *
   * @param heard takes what is published; must not block
   * @param back runs when it hears from now on, and may have missed messages; must not block
   */
  public Messages(Connections connections, String channel, Consumer<String> heard, Runnable back) {
    this.connection = new LateConnection<>(connections::connectForMessages);
    this.channel = channel;
    this.heard = heard;
    this.back = back;
    connections.whenMessagesAreLeft(this::startAnew);
  }

  /** Returns at once whether it hears what is published, as far as is known. */
  public boolean isOn() {
    return on;
  }

  /** Returns at once whether Redis does not let this client hear what is published. */
  public boolean isRefused() {
    return refused;
  }

  /**
   * Begins to connect, unless that is done or under way; after a failure the next call tries again.
   */
  public void start() {
    connection.open(this::subscribe);
  }

  /** There is no connection to leave before the first. */
  private void startAnew() {
    if (connection.get() != null) {
      on = false;
      connection.drop();
      start();
    }
  }

  /** Where Redis refuses, nothing is heard. */
  private void subscribe(StatefulRedisPubSubConnection<String, String> opened) {
    opened.addListener((RedisConnectionStateListener) this);
    opened.addListener((RedisPubSubListener<String, String>) this);
    CompletionStage<Void> subscribing = opened.async().subscribe(channel);
    subscribing.whenComplete(
        (done, failure) -> {
          if (failure != null && RedisFailures.isAnswer(failure)) {
            refused = true;
          } else if (failure != null) {
            connection.drop();
          }
        });
  }

  /** Blocks until the connection is closed, but not for long. */
  public void close() {
    connection.close();
  }

  @Override
  public void subscribed(String to, long count) {
    on = true;
    refused = false;
    back.run();
  }

  @Override
  public void message(String from, String text) {
    heard.accept(text);
  }

  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
    if (handler == connection.get()) {
      on = false;
    }
  }
}
