package io.syncguard.redis.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockOptions;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait ends by its time, however long Redis is allowed to take for a command. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RedisTimeLimitsTest {

  private static final Duration SHORT = Duration.ofMillis(200);

  @Test
  void aWaitEndsByItsTimeWhileRedisStandsStill() throws Exception {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = SyncGuard.open("redis://127.0.0.1:" + server.port() + "?timeout=30s")) {
      assertThat(guard.locks().isLocked("k")).isFalse();
      LockOptions options = LockOptions.defaults().withMaxWait(SHORT);
      List<Supplier<CompletionStage<?>>> waits =
          List.of(
              () -> inThread(() -> guard.locks().lock("k", options)),
              () -> guard.locks().async().lock("k", options),
              () -> inThread(() -> guard.semaphore("s", 1).acquire(SHORT)),
              () -> guard.semaphore("s", 1).async().acquire(SHORT),
              () -> guard.rateLimiter("r", 1, SHORT, 1).async().acquire(SHORT));
      server.pause();
      try {
        for (Supplier<CompletionStage<?>> wait : waits) {
          assertThat(wait.get())
              .failsWithin(Duration.ofSeconds(10))
              .withThrowableOfType(ExecutionException.class)
              .withCauseInstanceOf(SyncGuardException.class);
        }
      } finally {
        server.resume();
      }
    }
  }

  private static CompletableFuture<Object> inThread(Supplier<Object> wait) {
    return CompletableFuture.supplyAsync(wait, task -> new Thread(task).start());
  }
}
