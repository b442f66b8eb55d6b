package io.syncguard.testkit.limit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.limit.RateLimiter;
import io.syncguard.telemetry.LimitEvent;
import io.syncguard.telemetry.LimitEvent.Reason;
import io.syncguard.telemetry.LockEvent.Result;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Replies that are lost, and what is reported of a limiter's operations. */
public interface RateFaultSuite extends LimitSuite {

  @Test
  default void anAttemptWhoseReplyIsLostIsReportedAsInDoubtAndNotRepeated() {
    FaultyLimits client = openFaultyLimits(guardOptions());
    String name = newName();
    RateLimiter limiter = client.guard().rateLimiter(name, 1, LONG, 4);
    List<Runnable> ways =
        List.of(
            limiter::tryAcquire,
            () -> limiter.acquire(Duration.ofMinutes(1)),
            () -> join(limiter.async().tryAcquire()),
            () -> join(limiter.async().acquire(Duration.ofMinutes(1))));
    for (Runnable way : ways) {
      client.store().loseReplies(1);
      assertThat(assertFails(Code.NETWORK_TIMEOUT, way::run).isOutcomeUnknown()).isTrue();
    }
    assertThat(client.store().operations()).isEqualTo(4);
    assertThat(guard().rateLimiter(name, 1, LONG, 4).tryAcquire().isAllowed()).isFalse();
  }

  @Test
  default void everyQuestionToALimiterIsReportedWithItsResultAndReason() throws Exception {
    List<LimitEvent> events = new CopyOnWriteArrayList<>();
    Telemetry telemetry = Telemetry.to(event -> {}).withLimits(events::add);
    String name = newName();
    RateLimiter observed =
        open(guardOptions().withTelemetry(telemetry)).rateLimiter(name, 1, LONG, 1);

    observed.tryAcquire();
    join(observed.async().tryAcquire());

    eventually(() -> assertThat(events).hasSize(2));
    assertThat(events)
        .extracting(LimitEvent::type, LimitEvent::result, LimitEvent::reason, LimitEvent::keyHash)
        .containsExactly(
            tuple(LimitEvent.Type.ACQUIRE, Result.OK, null, KeyHash.of(name)),
            tuple(LimitEvent.Type.ACQUIRE, Result.FAIL, Reason.LIMITED, KeyHash.of(name)));
  }
}
