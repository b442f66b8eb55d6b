package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.telemetry.HoldEvent;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Reason;
import io.syncguard.telemetry.Result;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.telemetry.WaitEvent;
import io.syncguard.testkit.internal.RecordedEvents;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Every operation, every wait and every hold is reported, whichever way it took. */
public interface PermitTelemetrySuite extends SemaphoreSuite {

  @Test
  default void everyOperationOnASemaphoreIsReportedWithItsResultAndReason() throws Exception {
    RecordedEvents events = new RecordedEvents();
    SyncGuard observed = observed(Telemetry.to(events));
    String name = newName();
    FairSemaphore semaphore = observed.semaphore(name, 1);

    Permit permit = take(semaphore);
    assertThat(semaphore.tryAcquire()).isEmpty();
    assertFails(Code.INVALID_ARGUMENT, () -> observed.semaphore(name, 2).tryAcquire());
    semaphore.stats();
    semaphore.resize(2);
    observed.semaphores().stats();
    permit.release();
    permit.release();
    observed.semaphores().stats(name);

    eventually(() -> assertThat(events.operations()).hasSize(9));
    assertThat(events.operations())
        .extracting(OperationEvent::operation, OperationEvent::result, OperationEvent::reason)
        .containsExactly(
            tuple("acquire", Result.OK, null),
            tuple("acquire", Result.FAIL, Reason.BUSY),
            tuple("acquire", Result.FAIL, Reason.LIMIT_DIFFERS),
            tuple("stats", Result.OK, null),
            tuple("resize", Result.OK, null),
            tuple("stats", Result.OK, null),
            tuple("release", Result.OK, null),
            tuple("release", Result.FAIL, Reason.NOT_FOUND),
            tuple("stats", Result.FAIL, Reason.NOT_FOUND));
    assertThat(events.operations().get(0).subject().nameHash()).isEqualTo(KeyHash.of(name));
    assertThat(events.operations())
        .extracting(OperationEvent::subject)
        .allMatch(subject -> subject.primitive() == Primitive.SEMAPHORE)
        .allMatch(subject -> subject.name() == null && subject.id() == null);
    assertThat(events.operations())
        .allMatch(e -> e.errorCode() == null && !e.elapsed().isNegative());
  }

  @Test
  default void waitingAndHeartbeatsAreReportedToo() throws Exception {
    RecordedEvents events = new RecordedEvents();
    SyncGuard observed = observed(Telemetry.to(events).includingRaw());
    String name = newName();
    SemaphoreOptions options = SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(1));
    FairSemaphore semaphore = observed.semaphore(name, 1, options);
    take(semaphore);
    assertFails(Code.ACQUISITION_TIMEOUT, () -> semaphore.acquire(Duration.ofMillis(1)));
    fixture().passTime(Duration.ofSeconds(1));

    eventually(
        () ->
            assertThat(events.operations())
                .extracting(OperationEvent::operation, OperationEvent::reason)
                .contains(
                    tuple("acquire", Reason.QUEUED),
                    tuple("acquire", Reason.BUSY),
                    tuple("ping", null)));
    assertThat(events.operations()).allMatch(event -> name.equals(event.subject().name()));
  }

  @Test
  default void whatThrowsOnASemaphoreIsReportedWithItsCode() throws Exception {
    RecordedEvents events = new RecordedEvents();
    FaultyClient client = openFaulty(guardOptions().withTelemetry(Telemetry.to(events)));
    client.faults().refuse(1);
    assertFails(
        Code.SERVICE_UNAVAILABLE, () -> client.guard().semaphore(newName(), 1).tryAcquire());
    eventually(() -> assertThat(events.operations()).hasSize(1));
    assertThat(events.operations().get(0).errorCode()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  default void everyWaitForAPermitIsReportedWithItsEnd() throws Exception {
    RecordedEvents events = new RecordedEvents();
    String name = newName();
    FairSemaphore semaphore = observed(Telemetry.to(events)).semaphore(name, 1);
    Duration brief = Duration.ofMillis(1);

    Permit held = semaphore.acquire();
    assertFails(Code.ACQUISITION_TIMEOUT, () -> semaphore.acquire(brief));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> join(semaphore.async().acquire(brief)));
    held.close();
    join(semaphore.async().acquire()).close();

    eventually(() -> assertThat(events.waits()).hasSize(4));
    assertThat(events.waits())
        .extracting(WaitEvent::result, WaitEvent::errorCode)
        .containsExactly(
            tuple(Result.OK, null),
            tuple(Result.FAIL, Code.ACQUISITION_TIMEOUT),
            tuple(Result.FAIL, Code.ACQUISITION_TIMEOUT),
            tuple(Result.OK, null));
    assertThat(events.waits())
        .allMatch(wait -> KeyHash.of(name).equals(wait.subject().nameHash()))
        .allMatch(wait -> wait.subject().primitive() == Primitive.SEMAPHORE)
        .allMatch(wait -> !wait.elapsed().isNegative());
  }

  @Test
  default void everyHoldOfAPermitIsReportedWithItsEnd() throws Exception {
    RecordedEvents events = new RecordedEvents();
    SyncGuard observed = observed(Telemetry.to(events));
    String released = newName();
    String lost = newName();
    SemaphoreOptions brief = SemaphoreOptions.defaults().withTtl(Duration.ofSeconds(1));

    Permit permit = take(observed.semaphore(released, 1));
    permit.close();
    permit.close();
    Permit late = take(observed.semaphore(lost, 1, brief));
    fixture().passTime(Duration.ofMillis(1100));
    late.close();

    eventually(() -> assertThat(events.holds()).hasSize(2));
    assertThat(events.holds())
        .extracting(hold -> hold.subject().nameHash(), HoldEvent::end)
        .containsExactly(
            tuple(KeyHash.of(released), HoldEvent.End.RELEASED),
            tuple(KeyHash.of(lost), HoldEvent.End.LOST));
    assertThat(events.holds()).allMatch(hold -> !hold.elapsed().isNegative());
  }

  private SyncGuard observed(Telemetry telemetry) {
    return open(guardOptions().withTelemetry(telemetry));
  }
}
