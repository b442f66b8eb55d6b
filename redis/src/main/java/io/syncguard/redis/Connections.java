package io.syncguard.redis;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.syncguard.spi.LockWatch;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A store's connections: a shared one for everything, and one on which Redis tells waiters of
 * changes.
 */
interface Connections extends AutoCloseable {

  Duration PATIENCE_ON_CLOSING = Duration.ofMillis(200);

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

  /** Begins to open a connection on which messages can be subscribed to, and returns at once. */
  CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connectForMessages();

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
    try {
      ending.toCompletableFuture().get(PATIENCE_ON_CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // As if the process had been killed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
