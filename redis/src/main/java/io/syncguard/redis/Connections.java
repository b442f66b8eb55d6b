package io.syncguard.redis;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.spi.LockWatch;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A store's connections: a shared one for everything, and one on which Redis tells waiters of
 * changes.
 */
interface Connections extends AutoCloseable {

  Duration PATIENCE_ON_CLOSING = Duration.ofMillis(200);

  /** Returns at once what messages call what this is connected to, with its addresses. */
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
  BaseRedisAsyncCommands<String, String> watching(String lockKey);

  /**
   * Leaves a server that is no master any more for the one that is, with all connections; returns
   * at once. What is under way fails, as when a connection is lost.
   */
  void leaveReplica();

  /**
   * Looks, after a command that was not answered in time, whether its server answers at all, and
   * leaves it if not, as {@link #leaveReplica} does; returns at once.
   *
   * @param commands what the command was sent through
   * @param key one of its keys
   */
  void doubt(BaseRedisAsyncCommands<String, String> commands, String key);

  /** Returns at once whether any server is being looked at as {@link #doubt} says. */
  boolean isInDoubt();

  /** Notes that a server in doubt has answered a command; returns at once. */
  void heard(BaseRedisAsyncCommands<String, String> commands, String key);

  /** Looks where the masters are, after a command that could not be sent; returns at once. */
  void lookAnew();

  /** Begins to open a connection on which messages can be subscribed to, and returns at once. */
  CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connectForMessages();

  /**
   * Has this run when a server was left that messages may have come from, on a connection whose
   * driver does not connect it anew by itself.
   */
  default void whenMessagesAreLeft(Runnable openAnew) {}

  /** Returns at once whether Redis tells us of changes, as far as is known. */
  boolean tellsOfChanges();

  /** Notes a waiter's interest and returns at once; empty if Redis does not tell us of changes. */
  Optional<LockWatch> watch(String lockKey, Runnable hint);

  /** Hints those who watch this key, as if Redis had told of a change. */
  void hint(String key);

  @Override
  void close();

  /** Lets something end that nobody waits for. */
  static void letEnd(CompletionStage<?> ending) {}

  /** Blocks until something has ended, or failed, but not for long: it may go on without us. */
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
