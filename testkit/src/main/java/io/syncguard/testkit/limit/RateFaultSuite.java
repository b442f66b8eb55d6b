package io.syncguard.testkit.limit;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.limit.RateLimiter;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Reason;
import io.syncguard.telemetry.Result;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.telemetry.WaitEvent;
import io.syncguard.testkit.internal.RecordedEvents;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replies that are lost, and what is reported of a limiter's operations. */
public interface RateFaultSuite extends LimitSuite {

  @Test
  default void anAttemptWhoseReplyIsLostIsReportedAsInDoubtAndNotRepeated() {
    FaultyClient client = openFaulty();
    String name = newName();
    RateLimiter limiter = client.guard().rateLimiter(name, 1, LONG, 4);
    List<Runnable> ways =
        List.of(
            limiter::tryAcquire,
            () -> limiter.acquire(Duration.ofMinutes(1)),
            () -> join(limiter.async().tryAcquire()),
            () -> join(limiter.async().acquire(Duration.ofMinutes(1))));
    for (Runnable way : ways) {
      client.faults().loseReplies(1);
      assertThat(assertFails(Code.NETWORK_TIMEOUT, way::run).isOutcomeUnknown()).isTrue();
    }
    assertThat(client.faults().operations()).isEqualTo(4);
    assertThat(guard().rateLimiter(name, 1, LONG, 4).tryAcquire().isAllowed()).isFalse();
  }

  @Test
  default void everyQuestionToALimiterIsReportedWithItsResultAndReason() throws Exception {
    RecordedEvents events = new RecordedEvents();
    String name = newName();
    RateLimiter observed = observed(events, name, 1);

    observed.tryAcquire();
    join(observed.async().tryAcquire());

    eventually(() -> assertThat(events.operations()).hasSize(2));
    assertThat(events.operations())
        .extracting(OperationEvent::operation, OperationEvent::result, OperationEvent::reason)
        .containsExactly(
            tuple("acquire", Result.OK, null), tuple("acquire", Result.FAIL, Reason.LIMITED));
    assertThat(events.operations())
        .extracting(OperationEvent::subject)
        .allMatch(subject -> subject.primitive() == Primitive.RATE_LIMITER)
        .allMatch(subject -> KeyHash.of(name).equals(subject.nameHash()));
  }

  @Test
  default void everyWaitForALimiterIsReportedWithItsEnd() throws Exception {
    RecordedEvents events = new RecordedEvents();
    RateLimiter observed = observed(events, newName(), 2);

    observed.acquire(Duration.ZERO);
    join(observed.async().acquire(Duration.ZERO));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> observed.acquire(Duration.ZERO));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> join(observed.async().acquire(Duration.ZERO)));

    eventually(() -> assertThat(events.waits()).hasSize(4));
    assertThat(events.waits())
        .extracting(WaitEvent::result, WaitEvent::errorCode)
        .containsExactly(
            tuple(Result.OK, null),
            tuple(Result.OK, null),
            tuple(Result.FAIL, Code.ACQUISITION_TIMEOUT),
            tuple(Result.FAIL, Code.ACQUISITION_TIMEOUT));
  }

  private RateLimiter observed(RecordedEvents events, String name, long burst) {
    return open(guardOptions().withTelemetry(Telemetry.to(events)))
        .rateLimiter(name, 1, LONG, burst);
  }
}
