package io.syncguard.redis.connection;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.spi.Watch;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's connections: a shared one for everything, and one on which Redis tells waiters of
 * changes. Thread-safe.
 */
public interface Connections extends AutoCloseable {

  /** Where the store logs, under its public name. */
  Logger LOG = LoggerFactory.getLogger("io.syncguard.redis.RedisStore");

  /** How long closing waits for what may as well end later. */
  Duration PATIENCE_ON_CLOSING = Duration.ofMillis(200);

  /** Returns at once what messages call the server or the cluster, with its addresses. */
  String server();

  /** Returns at once what to send commands through. */
  BaseRedisAsyncCommands<String, String> commands();

  /** Returns at once what to look for keys through, on all nodes. */
  RedisKeyAsyncCommands<String, String> keys();

  /** Asks the server, or each master of the cluster by its address, for INFO; returns at once. */
  Map<String, CompletableFuture<String>> infos();

  /**
   * Returns at once what a waiter sends its attempts through, so that Redis remembers its interest;
   * while that connection is not ready, the shared one, and the waiter is hinted when it is.
   */
  BaseRedisAsyncCommands<String, String> watching(String key);

  /**
   * Returns at once; all connections leave a server that is no longer the master for the new
   * master. What is under way fails, as when a connection is lost.
   */
  void leaveReplica();

  /**
   * Returns at once; looks, after a command that was not answered in time, whether its server
   * answers at all, and leaves it if not, as {@link #leaveReplica} does.
   *
   * @param commands what the command was sent through
   * @param key one of its keys
   */
  void doubt(BaseRedisAsyncCommands<String, String> commands, String key);

  /** Returns at once whether any server is in {@linkplain #doubt doubt}. */
  boolean isInDoubt();

  /** Notes that a server in doubt has answered a command; returns at once. */
  void heard(BaseRedisAsyncCommands<String, String> commands, String key);

  /** Looks where the masters are, after a command that could not be sent; returns at once. */
  void lookAnew();

  /** Begins to open a connection on which messages can be subscribed to, and returns at once. */
  CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connectForMessages();

  /**
   * Has this run when a server was left that messages may have come from, on a connection that the
   * driver does not connect anew.
   */
  default void whenMessagesAreLeft(Runnable openAnew) {}

  /** Returns at once whether Redis tells this client of changes, as far as is known. */
  boolean tellsOfChanges();

  /**
   * Notes a waiter's interest and returns at once; empty if Redis does not tell this client of
   * changes.
   */
  Optional<Watch> watch(String key, Runnable hint);

  /** Hints the waiters that watch this key, as if Redis had told of a change. */
  void hint(String key);

  /** Blocks until all are closed, but not for long. */
  @Override
  void close();

  /** Returns at once: nothing waits for the end. */
  static void letEnd(CompletionStage<?> ending) {}

  /** Blocks until it has ended, or failed, but not for long: it may go on afterwards. */
  static void letEndSoon(CompletionStage<?> ending) {
    letEndWithin(PATIENCE_ON_CLOSING, ending);
  }

  /** As {@link #letEndSoon}, for at most this long. An interrupt is kept for later. */
  static void letEndWithin(Duration patience, CompletionStage<?> ending) {
    try {
      ending
          .thenApply(ended -> ended)
          .toCompletableFuture()
          .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
          .join();
    } catch (CompletionException | CancellationException e) {
      // As if the process had been killed.
    }
  }
}
