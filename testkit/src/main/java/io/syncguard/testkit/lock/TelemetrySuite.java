package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.Primitive;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.telemetry.EventSubject;
import io.syncguard.telemetry.HoldEvent;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Reason;
import io.syncguard.telemetry.Result;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.telemetry.WaitEvent;
import io.syncguard.testkit.internal.RecordedEvents;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every operation, every wait and every hold is reported, whichever way it took. */
public interface TelemetrySuite extends LockSuite {

  @Test
  default void everyOperationIsReportedWithItsResultAndReason() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Locks observed = observed(Telemetry.to(events));
    String key = newKey();

    LockHandle lock = take(observed, key, LONG);
    observed.tryLock(key).close();
    observed.isLocked(key);
    observed.getByKey(key);
    lock.extend(LONG);
    lock.release();
    observed.release(lock.lockId());
    observed.extend(lock.lockId(), LONG);
    observed.isLocked(key);
    observed.getById(lock.lockId());

    eventually(() -> assertThat(events.operations()).hasSize(10));
    assertThat(events.operations())
        .extracting(OperationEvent::operation, OperationEvent::result, OperationEvent::reason)
        .containsExactly(
            tuple(LockOperation.ACQUIRE, Result.OK, null),
            tuple(LockOperation.ACQUIRE, Result.FAIL, Reason.LOCKED),
            tuple(LockOperation.IS_LOCKED, Result.OK, null),
            tuple(LockOperation.LOOKUP, Result.OK, null),
            tuple(LockOperation.EXTEND, Result.OK, null),
            tuple(LockOperation.RELEASE, Result.OK, null),
            tuple(LockOperation.RELEASE, Result.FAIL, Reason.NOT_FOUND),
            tuple(LockOperation.EXTEND, Result.FAIL, Reason.NOT_FOUND),
            tuple(LockOperation.IS_LOCKED, Result.FAIL, null),
            tuple(LockOperation.LOOKUP, Result.FAIL, null));
    EventSubject acquired = events.operations().get(0).subject();
    assertThat(acquired.primitive()).isEqualTo(Primitive.LOCK);
    assertThat(acquired.nameHash()).isEqualTo(KeyHash.of(key));
    assertThat(events.operations().get(5).subject().idHash()).isEqualTo(lock.lockId().hash());
    assertThat(events.operations())
        .extracting(OperationEvent::subject)
        .allMatch(subject -> subject.name() == null && subject.id() == null);
    assertThat(events.operations())
        .allMatch(e -> e.errorCode() == null && !e.elapsed().isNegative());
  }

  @Test
  default void anExpiredLockIsReportedAsExpired() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Locks observed = observed(Telemetry.to(events));
    LockHandle late = take(observed, newKey(), SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    observed.extend(late.lockId(), LONG);
    observed.release(late.lockId());

    eventually(() -> assertThat(events.operations()).hasSize(3));
    assertThat(events.operations().subList(1, 3))
        .extracting(OperationEvent::reason)
        .containsOnly(Reason.EXPIRED);
  }

  @Test
  default void helpersAndAsynchronousOperationsAreReportedToo() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Locks observed = observed(Telemetry.to(events));
    observed.run(newKey(), lock -> {});
    LockHandle lock = join(observed.async().lock(newKey()));
    join(lock.extendAsync(LONG));
    join(lock.releaseAsync());
    join(observed.async().owns(LockId.random()));

    eventually(() -> assertThat(events.operations()).hasSize(6));
    assertThat(events.operations())
        .extracting(OperationEvent::operation)
        .containsExactly(
            LockOperation.ACQUIRE,
            LockOperation.RELEASE,
            LockOperation.ACQUIRE,
            LockOperation.EXTEND,
            LockOperation.RELEASE,
            LockOperation.LOOKUP);
  }

  @Test
  default void whatThrowsIsReportedWithItsCode() throws Exception {
    RecordedEvents events = new RecordedEvents();
    FaultyClient client = openFaulty(GuardOptions.defaults().withTelemetry(Telemetry.to(events)));
    client.faults().refuse(1);
    assertFails(Code.SERVICE_UNAVAILABLE, () -> client.locks().tryLock(newKey()));

    eventually(() -> assertThat(events.operations()).hasSize(1));
    assertThat(events.operations().get(0).result()).isEqualTo(Result.FAIL);
    assertThat(events.operations().get(0).errorCode()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  default void rawIdentifiersAreReportedOnlyWhereThatWasAskedFor() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Locks observed =
        observed(
            Telemetry.to(events)
                .includingRaw(
                    event ->
                        event instanceof OperationEvent operation
                            && operation.operation().equals(LockOperation.RELEASE)));
    String key = newKey();
    LockHandle lock = take(observed, key, LONG);
    lock.release();

    eventually(() -> assertThat(events.operations()).hasSize(2));
    EventSubject acquired = events.operations().get(0).subject();
    EventSubject released = events.operations().get(1).subject();
    assertThat(acquired.name()).isNull();
    assertThat(acquired.id()).isNull();
    assertThat(released.name()).isEqualTo(key);
    assertThat(released.id()).isEqualTo(lock.lockId().value());
  }

  @Test
  default void aListenerThatThrowsDisturbsNothing() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Locks observed =
        observed(
            Telemetry.to(
                event -> {
                  events.onEvent(event);
                  throw new IllegalStateException("a listener that fails");
                }));
    take(observed, newKey(), LONG).close();
    eventually(() -> assertThat(events.operations()).hasSize(2));
  }

  @Test
  default void everyWaitForALockIsReportedWithItsEnd() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Locks observed = observed(Telemetry.to(events));
    String key = newKey();
    LockOptions once = LockOptions.defaults().withMaxWait(Duration.ZERO);
    CancelSignal signal = CancelSignal.create();

    LockHandle held = observed.lock(key);
    assertFails(Code.ACQUISITION_TIMEOUT, () -> observed.lock(key, once));
    assertFails(Code.ACQUISITION_TIMEOUT, () -> join(observed.async().lock(key, once)));
    CompletableFuture<LockHandle> waiting =
        observed
            .cancelledBy(signal)
            .async()
            .lock(key, ContentionSuite.PATIENT)
            .toCompletableFuture();
    signal.cancel();
    assertFails(Code.ABORTED, () -> join(waiting));
    held.close();
    join(observed.async().lock(key)).close();
    observed.run(key, lock -> {});

    eventually(() -> assertThat(events.waits()).hasSize(6));
    assertThat(events.waits())
        .extracting(WaitEvent::result, WaitEvent::errorCode)
        .containsExactly(
            tuple(Result.OK, null),
            tuple(Result.FAIL, Code.ACQUISITION_TIMEOUT),
            tuple(Result.FAIL, Code.ACQUISITION_TIMEOUT),
            tuple(Result.FAIL, Code.ABORTED),
            tuple(Result.OK, null),
            tuple(Result.OK, null));
    assertThat(events.waits())
        .allMatch(wait -> KeyHash.of(key).equals(wait.subject().nameHash()))
        .allMatch(wait -> wait.subject().primitive() == Primitive.LOCK)
        .allMatch(wait -> !wait.elapsed().isNegative());
  }

  @Test
  default void everyHoldOfALockIsReportedWithItsEnd() throws Exception {
    RecordedEvents events = new RecordedEvents();
    Locks observed = observed(Telemetry.to(events));
    LockHandle released = take(observed, newKey(), LONG);
    LockHandle lost = take(observed, newKey(), LONG);

    released.close();
    released.close();
    otherLocks().release(lost.lockId());
    lost.extend(LONG);
    lost.close();

    eventually(() -> assertThat(events.holds()).hasSize(2));
    assertThat(events.holds())
        .extracting(hold -> hold.subject().idHash(), HoldEvent::end)
        .containsExactly(
            tuple(released.lockId().hash(), HoldEvent.End.RELEASED),
            tuple(lost.lockId().hash(), HoldEvent.End.LOST));
    assertThat(events.holds()).allMatch(hold -> !hold.elapsed().isNegative());
  }

  private Locks observed(Telemetry telemetry) {
    return open(guardOptions().withTelemetry(telemetry)).locks();
  }
}
