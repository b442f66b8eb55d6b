package io.syncguard.redis;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import io.syncguard.lock.RetryPolicy.Jitter;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The two ways to wait for a lock, without holding up the test. */
public enum WayToWait {
  BLOCKING {
    @Override
    public CompletableFuture<LockHandle> waitFor(Locks locks, String key, LockOptions options) {
      CompletableFuture<LockHandle> result = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  result.complete(locks.lock(key, options));
                } catch (RuntimeException e) {
                  result.completeExceptionally(e);
                }
              });
      thread.setDaemon(true);
      thread.start();
      return result;
    }
  },
  ASYNC {
    @Override
    public CompletableFuture<LockHandle> waitFor(Locks locks, String key, LockOptions options) {
      return locks.async().lock(key, options).toCompletableFuture();
    }
  };

  public static final Duration HOUR = Duration.ofHours(1);

  /** Never asks again by itself while a test lasts: only being told gets it the lock. */
  public static final LockOptions TOLD_ONLY =
      LockOptions.defaults()
          .withTtl(HOUR)
          .withMaxWait(HOUR)
          .withRetry(
              RetryPolicy.defaults()
                  .withMaxRetries(10)
                  .withDelay(HOUR)
                  .withBackoff(Backoff.FIXED)
                  .withJitter(Jitter.NONE));

  /** Asks again and again for as long as a test lasts. */
  public static final LockOptions PERSISTENT =
      LockOptions.defaults()
          .withTtl(HOUR)
          .withMaxWait(HOUR)
          .withRetry(
              RetryPolicy.defaults()
                  .withMaxRetries(1_000_000)
                  .withDelay(Duration.ofMillis(20))
                  .withBackoff(Backoff.FIXED)
                  .withJitter(Jitter.EQUAL));

  public abstract CompletableFuture<LockHandle> waitFor(
      Locks locks, String key, LockOptions options);

  /** Blocks until the lock is there; fails after a time in which it should have been. */
  public static LockHandle got(CompletableFuture<LockHandle> waiting) throws Exception {
    return waiting.get(20, TimeUnit.SECONDS);
  }

  /** Blocks until the server has noted that a client waits, by any number of keys. */
  public static void awaitTracked(RedisServer server) throws InterruptedException {
    eventually(
        () ->
            assertThat(String.valueOf(server.command("INFO", "stats")))
                .containsPattern("tracking_total_keys:[1-9]"));
  }
}
