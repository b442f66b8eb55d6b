package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.Locks;
import io.syncguard.telemetry.LockEvent;
import io.syncguard.telemetry.Telemetry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Every operation is reported, whichever way it took. */
public interface TelemetrySuite extends LockSuite {

  @Test
  default void everyOperationIsReportedWithItsResultAndReason() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    Locks observed = observed(Telemetry.to(events::add));
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

    eventually(() -> assertThat(events).hasSize(10));
    assertThat(events)
        .extracting(LockEvent::type, LockEvent::result, LockEvent::reason)
        .containsExactly(
            tuple(LockEvent.Type.ACQUIRE, LockEvent.Result.OK, null),
            tuple(LockEvent.Type.ACQUIRE, LockEvent.Result.FAIL, LockEvent.Reason.LOCKED),
            tuple(LockEvent.Type.IS_LOCKED, LockEvent.Result.OK, null),
            tuple(LockEvent.Type.LOOKUP, LockEvent.Result.OK, null),
            tuple(LockEvent.Type.EXTEND, LockEvent.Result.OK, null),
            tuple(LockEvent.Type.RELEASE, LockEvent.Result.OK, null),
            tuple(LockEvent.Type.RELEASE, LockEvent.Result.FAIL, LockEvent.Reason.NOT_FOUND),
            tuple(LockEvent.Type.EXTEND, LockEvent.Result.FAIL, LockEvent.Reason.NOT_FOUND),
            tuple(LockEvent.Type.IS_LOCKED, LockEvent.Result.FAIL, null),
            tuple(LockEvent.Type.LOOKUP, LockEvent.Result.FAIL, null));
    assertThat(events.get(0).keyHash()).isEqualTo(KeyHash.of(key));
    assertThat(events.get(5).lockIdHash()).isEqualTo(lock.lockId().hash());
    assertThat(events).allMatch(e -> e.key() == null && e.lockId() == null);
    assertThat(events).allMatch(e -> e.errorCode() == null && !e.elapsed().isNegative());
  }

  @Test
  default void anExpiredLockIsReportedAsExpired() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    Locks observed = observed(Telemetry.to(events::add));
    LockHandle late = take(observed, newKey(), SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    observed.extend(late.lockId(), LONG);
    observed.release(late.lockId());

    eventually(() -> assertThat(events).hasSize(3));
    assertThat(events.subList(1, 3))
        .extracting(LockEvent::reason)
        .containsOnly(LockEvent.Reason.EXPIRED);
  }

  @Test
  default void helpersAndAsynchronousOperationsAreReportedToo() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    Locks observed = observed(Telemetry.to(events::add));
    observed.run(newKey(), lock -> {});
    LockHandle lock = join(observed.async().lock(newKey()));
    join(lock.extendAsync(LONG));
    join(lock.releaseAsync());
    join(observed.async().owns(LockId.random()));

    eventually(() -> assertThat(events).hasSize(6));
    assertThat(events)
        .extracting(LockEvent::type)
        .containsExactly(
            LockEvent.Type.ACQUIRE,
            LockEvent.Type.RELEASE,
            LockEvent.Type.ACQUIRE,
            LockEvent.Type.EXTEND,
            LockEvent.Type.RELEASE,
            LockEvent.Type.LOOKUP);
  }

  @Test
  default void whatThrowsIsReportedWithItsCode() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    FaultyClient client =
        openFaulty(GuardOptions.defaults().withTelemetry(Telemetry.to(events::add)));
    client.store().refuse(1);
    assertFails(Code.SERVICE_UNAVAILABLE, () -> client.locks().tryLock(newKey()));

    eventually(() -> assertThat(events).hasSize(1));
    assertThat(events.get(0).result()).isEqualTo(LockEvent.Result.FAIL);
    assertThat(events.get(0).errorCode()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  default void rawIdentifiersAreReportedOnlyWhereThatWasAskedFor() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    Locks observed =
        observed(
            Telemetry.to(events::add)
                .includingRaw(event -> event.type() == LockEvent.Type.RELEASE));
    String key = newKey();
    LockHandle lock = take(observed, key, LONG);
    lock.release();

    eventually(() -> assertThat(events).hasSize(2));
    assertThat(events.get(0).key()).isNull();
    assertThat(events.get(0).lockId()).isNull();
    assertThat(events.get(1).key()).isEqualTo(key);
    assertThat(events.get(1).lockId()).isEqualTo(lock.lockId().value());
  }

  @Test
  default void aListenerThatThrowsDisturbsNothing() throws Exception {
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    Locks observed =
        observed(
            Telemetry.to(
                event -> {
                  events.add(event);
                  throw new IllegalStateException("a listener that fails");
                }));
    take(observed, newKey(), LONG).close();
    eventually(() -> assertThat(events).hasSize(2));
  }

  private Locks observed(Telemetry telemetry) {
    return open(guardOptions().withTelemetry(telemetry)).locks();
  }
}
