package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that are cancelled when Redis has carried them out, and before its answer has come. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CancelledCommandFaultTest {

  private static final String KEY = "k";

  private final RedisServer server = RedisServer.start();
  private final FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());

  /** It has the patience to be cancelled, and not to time out. */
  private final SyncGuard guard =
      SyncGuard.over(
          RedisStore.connect(
              "redis://127.0.0.1:" + proxy.port(),
              RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(30))));

  private final SyncGuard other = SyncGuard.open(server.uri());
  private final CancelSignal signal = CancelSignal.create();

  /** A script that the server does not know is sent a second time, for which it must answer. */
  @BeforeEach
  void letTheServerLearnTheScripts() {
    take(other.locks(), "another", WayToWait.HOUR).close();
    other.secrets().view(other.secrets().put(new byte[0], Views.of(1), WayToWait.HOUR));
    other.counters().increment("another", 1, WayToWait.HOUR);
  }

  @AfterEach
  void stop() {
    proxy.heal();
    guard.close();
    other.close();
    proxy.close();
    server.close();
  }

  @Test
  void anAttemptIsInDoubtAndLeavesNoLockBehind() throws Exception {
    proxy.freezeReplies();
    CompletableFuture<?> attempt =
        guard
            .locks()
            .cancelledBy(signal)
            .async()
            .tryLock(KEY, WayToWait.HOUR)
            .toCompletableFuture();
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isTrue());
    signal.cancel();
    assertThat(assertFails(Code.ABORTED, () -> join(attempt)))
        .matches(SyncGuardException::isOutcomeUnknown);
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isFalse());
  }

  @Test
  void aBlockedAttemptEndsLikewise() throws Exception {
    proxy.freezeReplies();
    CompletableFuture<SyncGuardException> attempt =
        CompletableFuture.supplyAsync(
            () ->
                assertFails(
                    Code.ABORTED,
                    () -> guard.locks().cancelledBy(signal).tryLock(KEY, WayToWait.HOUR)));
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isTrue());
    signal.cancel();
    assertThat(attempt.join()).matches(SyncGuardException::isOutcomeUnknown);
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isFalse());
  }

  /** They are not taken back, so a caller must be told that they may count. */
  @Test
  void aViewAndAnIncrementAreInDoubtAndCount() throws Exception {
    SecretId id = other.secrets().put(new byte[] {1}, Views.of(2), WayToWait.HOUR);
    proxy.freezeReplies();
    CompletableFuture<?> view =
        guard.secrets().cancelledBy(signal).async().view(id).toCompletableFuture();
    CompletableFuture<?> increment =
        guard
            .counters()
            .cancelledBy(signal)
            .async()
            .increment(KEY, 10, WayToWait.HOUR)
            .toCompletableFuture();
    eventually(
        () -> {
          assertThat(other.secrets().peek(id).orElseThrow().remaining()).isEqualTo(1);
          assertThat(other.counters().current(KEY)).isPresent();
        });
    signal.cancel();
    for (CompletableFuture<?> cancelled : List.of(view, increment)) {
      assertThat(assertFails(Code.ABORTED, () -> join(cancelled)))
          .matches(SyncGuardException::isOutcomeUnknown);
    }
  }
}
