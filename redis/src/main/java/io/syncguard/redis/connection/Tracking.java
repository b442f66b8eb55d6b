package io.syncguard.redis.connection;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.syncguard.redis.failure.RedisFailures;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Watches;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Client tracking on one connection to one node: Redis remembers which keys were read through it
 * and says when any client changes one of them. Switched on again whenever the connection comes
 * back.
 */
public final class Tracking implements RedisConnectionStateListener {

  private final StatefulRedisConnection<String, String> connection;
  private final Duration timeout;
  private final Watches<String> watches;
  private final AtomicBoolean refused;
  private volatile boolean on;

  /**
   * Tracks nothing before it is started.
   *
   * @param timeout after which a server that does not answer is left
   * @param refused is set, and a warning logged once, if Redis does not track
   */
  Tracking(
      StatefulRedisConnection<String, String> connection,
      Duration timeout,
      Watches<String> watches,
      AtomicBoolean refused) {
    this.connection = connection;
    this.timeout = timeout;
    this.watches = watches;
    this.refused = refused;
  }

  /** Begins to track; returns at once. */
  Tracking start() {
    connection.addListener(this);
    switchOn();
    return this;
  }

  boolean isOn() {
    return on;
  }

  /** Returns whether the connection is lost; if the client has given it up, it never comes back. */
  boolean isDisconnected() {
    return !connection.isOpen();
  }

  void forget() {
    connection.removeListener(this);
  }

  /** Passes on what Redis says of changed keys; without keys it means all of them. */
  static void hint(Watches<String> watches, PushMessage message) {
    if (!message.getType().equals("invalidate")) {
      return;
    }
    List<Object> content = message.getContent(StringCodec.UTF8::decodeKey);
    if (content.size() > 1 && content.get(1) instanceof List<?> keys) {
      keys.forEach(key -> watches.hint(String.valueOf(key)));
    } else {
      watches.hintAll();
    }
  }

  /**
   * Switches it on or off, and returns at once; fails without RESP3, where Redis takes the command
   * and then never says a word.
   */
  public static CompletionStage<String> send(
      BaseRedisAsyncCommands<String, String> commands, TrackingArgs tracking) {
    CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("TRACKING");
    tracking.build(args);
    return commands
        .dispatch(CommandType.HELLO, new NestedMultiOutput<>(StringCodec.UTF8))
        .thenCompose(
            hello ->
                speaksResp3(hello)
                    ? commands.dispatch(
                        CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), args)
                    : CompletableFuture.failedFuture(
                        new RedisCommandExecutionException("the connection speaks RESP2")));
  }

  /**
   * Hints the waiters when something has changed for them. A connection that is lost, or is left
   * here, hints them by itself; a hint because there is no connection would have them ask, and this
   * try again, without end.
   */
  private void switchOn() {
    CompletionStage<?> switched =
        send(connection.async(), TrackingArgs.Builder.enabled().noloop())
            .toCompletableFuture()
            .orTimeout(TimeSource.saturatedNanos(timeout), TimeUnit.NANOSECONDS);
    switched.whenComplete(
        (ok, failure) -> {
          if (failure == null) {
            on = true;
            watches.hintAll();
          } else if (RedisFailures.isAnswer(failure) && refused.compareAndSet(false, true)) {
            Connections.LOG.warn(
                "Redis does not tell this client of changes, so waiters for a lock ask again"
                    + " from time to time instead: {}",
                String.valueOf(failure.getMessage()));
            watches.hintAll();
          } else if (failure instanceof TimeoutException) {
            Silence.leave(connection);
          }
        });
  }

  private static boolean speaksResp3(List<Object> hello) {
    int proto = hello.indexOf("proto");
    return proto >= 0 && Long.valueOf(3).equals(hello.get(proto + 1));
  }

  @Override
  public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
    switchOn();
  }

  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
    on = false;
    watches.hintAll();
  }
}
