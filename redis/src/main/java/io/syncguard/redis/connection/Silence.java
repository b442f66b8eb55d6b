package io.syncguard.redis.connection;

import io.lettuce.core.Delegating;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.DefaultEndpoint;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Finds out whether a server that let a command time out answers at all: sends a PING, and leaves
 * the connection if neither the PING nor anything else is answered. A server that hangs keeps its
 * connections open, so no driver notices by itself. Costs nothing while commands are answered.
 * Thread-safe.
 */
final class Silence {

  /** The longest wait for the answer to a PING: a new connection costs little. */
  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(2);

  private final String server;
  private final Duration patience;
  private final AtomicInteger open;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile boolean heard;

  /**
   * Asks nothing yet.
   *
   * @param server what the log calls it
   * @param open counts the doubts that are not settled
   */
  Silence(String server, Duration commandTimeout, AtomicInteger open) {
    this.server = server;
    this.open = open;
    this.patience =
        commandTimeout.compareTo(LONGEST_PATIENCE) < 0 ? commandTimeout : LONGEST_PATIENCE;
  }

  /**
   * Asks, unless an answer is awaited already, and returns at once.
   *
   * @param leaving runs if there is no answer, not even a refusal
   */
  void doubt(Supplier<? extends CompletionStage<?>> ping, Runnable leaving) {
    if (asking.compareAndSet(false, true)) {
      heard = false;
      open.incrementAndGet();
      CompletionStage<?> answer =
          answered(ping).orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
      answer.whenComplete(
          (pong, failure) -> {
            boolean silent = failure instanceof TimeoutException && !heard;
            asking.set(false);
            open.decrementAndGet();
            if (silent) {
              Connections.LOG.warn(
                  "{} has not answered for {} ms after a command timed out, so the connection"
                      + " is left for a new one",
                  server,
                  patience.toMillis());
              leaving.run();
            }
          });
    }
  }

  /**
   * Notes that the server has answered something, so that one that is slow, or has much to answer,
   * is not left.
   */
  void heard() {
    heard = true;
  }

  private static CompletableFuture<?> answered(Supplier<? extends CompletionStage<?>> ping) {
    try {
      return ping.get().thenApply(pong -> pong).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Closes the channel from this side, and returns at once: what is under way fails, and the driver
   * connects anew. Does nothing to a connection that would then stay lost, or whose driver hides
   * its channel, as Lettuce 6 does where the caller's client has {@code TimeoutOptions}.
   */
  static void leave(StatefulConnection<?, ?> connection) {
    if (connection.getOptions().isAutoReconnect()
        && connection instanceof RedisChannelHandler<?, ?> handler
        && endpoint(handler.getChannelWriter()) instanceof DefaultEndpoint endpoint) {
      endpoint.disconnect();
    }
  }

  private static Object endpoint(RedisChannelWriter writer) {
    try {
      return writer instanceof Delegating<?> wrapper ? wrapper.unwrap() : writer;
    } catch (NoClassDefFoundError e) {
      return writer;
    }
  }
}
