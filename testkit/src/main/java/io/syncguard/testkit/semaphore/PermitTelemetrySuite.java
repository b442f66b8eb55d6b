package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.telemetry.LockEvent;
import io.syncguard.telemetry.SemaphoreEvent;
import io.syncguard.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Every operation is reported, whichever way it took. */
public interface PermitTelemetrySuite extends SemaphoreSuite {

  @Test
  default void everyOperationOnASemaphoreIsReportedWithItsResultAndReason() throws Exception {
    List<SemaphoreEvent> events = new CopyOnWriteArrayList<>();
    SyncGuard observed = observed(Telemetry.to(event -> {}).withSemaphores(events::add));
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

    eventually(() -> assertThat(events).hasSize(8));
    assertThat(events)
        .extracting(SemaphoreEvent::type, SemaphoreEvent::result, SemaphoreEvent::reason)
        .containsExactly(
            tuple(SemaphoreEvent.Type.ACQUIRE, LockEvent.Result.OK, null),
            tuple(SemaphoreEvent.Type.ACQUIRE, LockEvent.Result.FAIL, SemaphoreEvent.Reason.BUSY),
            tuple(
                SemaphoreEvent.Type.ACQUIRE,
                LockEvent.Result.FAIL,
                SemaphoreEvent.Reason.LIMIT_DIFFERS),
            tuple(SemaphoreEvent.Type.STATS, LockEvent.Result.OK, null),
            tuple(SemaphoreEvent.Type.RESIZE, LockEvent.Result.OK, null),
            tuple(SemaphoreEvent.Type.STATS, LockEvent.Result.OK, null),
            tuple(SemaphoreEvent.Type.RELEASE, LockEvent.Result.OK, null),
            tuple(
                SemaphoreEvent.Type.STATS, LockEvent.Result.FAIL, SemaphoreEvent.Reason.NOT_FOUND));
    assertThat(events.get(0).nameHash()).isEqualTo(KeyHash.of(name));
    assertThat(events).allMatch(e -> e.name() == null && e.permitId() == null);
    assertThat(events).allMatch(e -> e.errorCode() == null && !e.elapsed().isNegative());
  }

  @Test
  default void waitingAndHeartbeatsAreReportedToo() throws Exception {
    List<SemaphoreEvent> events = new CopyOnWriteArrayList<>();
    SyncGuard observed =
        observed(Telemetry.to(event -> {}).withSemaphores(events::add).includingRaw());
    String name = newName();
    SemaphoreOptions options = SemaphoreOptions.defaults().withHeartbeat(Duration.ofSeconds(1));
    FairSemaphore semaphore = observed.semaphore(name, 1, options);
    take(semaphore);
    assertFails(Code.ACQUISITION_TIMEOUT, () -> semaphore.acquire(Duration.ofMillis(1)));
    fixture().passTime(Duration.ofSeconds(1));

    eventually(
        () ->
            assertThat(events)
                .extracting(SemaphoreEvent::type, SemaphoreEvent::reason)
                .contains(
                    tuple(SemaphoreEvent.Type.ACQUIRE, SemaphoreEvent.Reason.QUEUED),
                    tuple(SemaphoreEvent.Type.ACQUIRE, SemaphoreEvent.Reason.BUSY),
                    tuple(SemaphoreEvent.Type.PING, null)));
    assertThat(events).allMatch(event -> name.equals(event.name()));
  }

  @Test
  default void whatThrowsOnASemaphoreIsReportedWithItsCode() throws Exception {
    List<SemaphoreEvent> events = new CopyOnWriteArrayList<>();
    FaultyClient client =
        openFaulty(
            guardOptions().withTelemetry(Telemetry.to(event -> {}).withSemaphores(events::add)));
    client.store().refuse(1);
    assertFails(
        Code.SERVICE_UNAVAILABLE, () -> client.guard().semaphore(newName(), 1).tryAcquire());
    eventually(() -> assertThat(events).hasSize(1));
    assertThat(events.get(0).errorCode()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  private SyncGuard observed(Telemetry telemetry) {
    return open(guardOptions().withTelemetry(telemetry));
  }
}
