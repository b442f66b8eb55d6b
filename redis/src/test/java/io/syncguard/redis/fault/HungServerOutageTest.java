package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that hangs for longer than a few timeouts, with its connections open. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungServerOutageTest {

  private static final String KEY = "k";
  private static final RedisOptions IMPATIENT =
      RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(200));

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  /** Until then every command takes its whole time to fail. */
  private void untilLeft(SyncGuard guard) throws Exception {
    eventually(() -> assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().isLocked(KEY)));
  }

  @Test
  void itIsLeftAndServesAgainWhenItIsBack() throws Exception {
    try (SyncGuard guard = SyncGuard.over(RedisStore.connect(server.uri(), IMPATIENT))) {
      LockHandle held = take(guard.locks(), KEY, WayToWait.HOUR);
      CompletableFuture<LockHandle> waiting =
          WayToWait.ASYNC.waitFor(guard.locks(), KEY, WayToWait.PERSISTENT);
      WayToWait.awaitTracked(server);
      server.pause();
      untilLeft(guard);
      server.resume();
      eventually(() -> assertThat(guard.locks().isLocked(KEY)).isTrue());
      held.release();
      WayToWait.got(waiting).release();
    }
  }

  @Test
  void aClientOfTheUsersLeavesItToo() throws Exception {
    RedisClient client = RedisClient.create();
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .timeoutOptions(TimeoutOptions.enabled())
            .build());
    RedisURI uri = RedisURI.create(server.uri());
    uri.setTimeout(Duration.ofSeconds(1));
    try (SyncGuard guard = SyncGuard.over(RedisStore.over(client, uri, IMPATIENT))) {
      server.pause();
      untilLeft(guard);
      server.resume();
      eventually(() -> assertThat(guard.locks().isLocked(KEY)).isFalse());
    } finally {
      client.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  @Test
  void soManyWaitForItsAnswerAndTheNextFailsAtOnce() throws Exception {
    try (SyncGuard guard =
        SyncGuard.over(
            RedisStore.connect(
                server.uri(), RedisOptions.defaults().withCommandTimeout(WayToWait.HOUR)))) {
      guard.locks().isLocked(KEY);
      server.pause();
      CompletableFuture<?>[] waiting = new CompletableFuture<?>[ScriptRunner.MOST_UNANSWERED];
      for (int i = 0; i < waiting.length; i++) {
        waiting[i] = guard.locks().async().isLocked(KEY).toCompletableFuture();
      }
      SyncGuardException failure =
          assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().isLocked(KEY));
      assertThat(failure.isOutcomeUnknown()).isFalse();
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      server.resume();
      CompletableFuture.allOf(waiting).join();
      assertThat(guard.locks().isLocked(KEY)).isFalse();
    }
  }

  @Test
  void largeOnesCountForSeveral() throws Exception {
    byte[] payload = new byte[1_000_000];
    try (SyncGuard guard =
        SyncGuard.over(
            RedisStore.connect(
                server.uri(), RedisOptions.defaults().withCommandTimeout(WayToWait.HOUR)))) {
      guard.secrets().put(payload, Views.of(1), WayToWait.HOUR);
      server.pause();
      int most = ScriptRunner.MOST_UNANSWERED / (1 + payload.length / ScriptCall.USUAL_BYTES);
      List<CompletableFuture<SecretId>> waiting = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        waiting.add(
            guard
                .secrets()
                .async()
                .put(payload, Views.of(1), WayToWait.HOUR)
                .toCompletableFuture());
      }
      assertFails(
          Code.SERVICE_UNAVAILABLE,
          () -> guard.secrets().put(payload, Views.of(1), WayToWait.HOUR));
      server.resume();
      waiting.forEach(CompletableFuture::join);
      guard.secrets().put(payload, Views.of(1), WayToWait.HOUR);
    }
  }

  @Test
  void whatWasGivenUpIsForgottenWithItsConnection() throws Exception {
    try (SyncGuard guard = SyncGuard.over(RedisStore.connect(server.uri(), IMPATIENT))) {
      guard.locks().isLocked(KEY);
      for (int round = 0; round < 2; round++) {
        server.pause();
        CompletableFuture<?>[] given =
            new CompletableFuture<?>[ScriptRunner.MOST_UNANSWERED * 2 / 3];
        for (int i = 0; i < given.length; i++) {
          given[i] = guard.locks().async().isLocked(KEY).toCompletableFuture();
        }
        for (CompletableFuture<?> each : given) {
          assertThat(each.handle((locked, failure) -> failure).join())
              .isInstanceOfAny(SyncGuardException.class, CompletionException.class);
        }
        server.resume();
        eventually(() -> assertThat(guard.locks().isLocked(KEY)).isFalse());
      }
    }
  }
}
