package io.syncguard.redis.fault;

import static io.syncguard.testkit.lock.LockSuite.join;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateLimiter;
import io.syncguard.redis.WayToWait;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Views;
import io.syncguard.testkit.Eventually;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies to views and counts that are lost on the wire: in doubt, and not asked for again. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostCountFaultTest {

  private final RedisServer server = RedisServer.start();
  private final FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
  private final SyncGuard guard =
      SyncGuard.open(
          "redis://127.0.0.1:" + proxy.port(), GuardOptions.defaults().withKeepOnClose());
  private final SyncGuard other =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());

  @AfterEach
  void stop() {
    guard.close();
    other.close();
    proxy.close();
    server.close();
  }

  @Test
  void aViewIsCountedOnceAndReportedAsInDoubt() {
    SecretId id = other.secrets().put("secret".getBytes(UTF_8), Views.of(9), WayToWait.HOUR);
    other.secrets().view(id);
    assertInDoubt(RedisScript.SECRET_VIEW, () -> guard.secrets().view(id));
    assertInDoubt(RedisScript.SECRET_VIEW, () -> join(guard.secrets().async().view(id)));
    assertThat(other.secrets().peek(id)).map(SecretInfo::remaining).contains(6);
  }

  @Test
  void anIncrementIsCountedOnceAndReportedAsInDoubt() {
    other.counters().increment("k", 9, WayToWait.HOUR);
    assertInDoubt(
        RedisScript.COUNTER_INCREMENT, () -> guard.counters().increment("k", 9, WayToWait.HOUR));
    assertThat(other.counters().current("k")).map(CounterState::count).contains(2L);
  }

  @Test
  void aPermitIsUsedOnceAndReportedAsInDoubt() {
    RateLimiter limiter = other.rateLimiter("k", 1, WayToWait.HOUR, 3);
    limiter.tryAcquire();
    assertInDoubt(
        RedisScript.RATE_ACQUIRE, () -> guard.rateLimiter("k", 1, WayToWait.HOUR, 3).tryAcquire());
    assertThat(List.of(limiter.tryAcquire().isAllowed(), limiter.tryAcquire().isAllowed()))
        .containsExactly(true, false);
  }

  private void assertInDoubt(RedisScript script, Runnable operation) {
    int dropped = proxy.droppedReplies();
    proxy.dropReplyTo(script.digest());
    assertThat(catchThrowableOfType(SyncGuardException.class, operation::run).isOutcomeUnknown())
        .isTrue();
    assertThat(proxy.droppedReplies()).isEqualTo(dropped + 1);
    awaitReconnected();
  }

  private void awaitReconnected() {
    try {
      Eventually.eventually(() -> guard.counters().current("reconnected"));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
