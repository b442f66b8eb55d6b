package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What each operation of a store is reported as, blocking and asynchronous. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class OutcomesTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final CancelSignal NEVER = CancelSignal.never();

  @Parameter boolean asynchronous;

  private final HandMovedTime time = new HandMovedTime();
  private final Store store = StoreProvider.openStore("memory:", time);
  private final RecordedEvents events = new RecordedEvents();
  private final LockBackend observed = Telemetry.to(events).observe(store.locks());
  private final LockId lockId = LockId.random();

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void anAcquisition() {
    acquire(lockId);
    assertReported("acquire ok", KEY, lockId);

    LockId late = LockId.random();
    acquire(late);
    assertReported("acquire fail locked", KEY, late);
  }

  @Test
  void aRelease() {
    acquire(lockId);
    forgetEvents();

    release(KEY);
    assertReported("release ok", KEY, lockId);

    release(null);
    assertReported("release fail not-found", null, lockId);
  }

  @Test
  void aLateRelease() {
    acquire(lockId);
    time.move(TTL.plusSeconds(1));
    forgetEvents();

    release(null);
    assertReported("release fail expired", null, lockId);
  }

  @Test
  void anExtension() {
    extend();
    assertReported("extend fail not-found", KEY, lockId);

    acquire(lockId);
    forgetEvents();
    extend();
    assertReported("extend ok", KEY, lockId);

    time.move(TTL.plusSeconds(1));
    extend();
    assertReported("extend fail expired", KEY, lockId);
  }

  @Test
  void aQuestionWhetherAKeyIsLocked() {
    calls().isLocked(KEY, NEVER);
    assertReported("isLocked fail", KEY, null);

    acquire(lockId);
    forgetEvents();
    calls().isLocked(KEY, NEVER);
    assertReported("isLocked ok", KEY, null);
  }

  @Test
  void aLookupByKeyAndById() {
    calls().lookup(KEY, NEVER);
    assertReported("lookup fail", KEY, null);
    calls().lookup(lockId, NEVER);
    assertReported("lookup fail", null, lockId);

    acquire(lockId);
    forgetEvents();
    calls().lookup(KEY, NEVER);
    assertReported("lookup ok", KEY, null);
    calls().lookup(lockId, NEVER);
    assertReported("lookup ok", null, lockId);
  }

  private LockBackend calls() {
    return asynchronous ? new JoinedLockBackend(observed) : observed;
  }

  private void acquire(LockId id) {
    calls().acquire(new AcquireRequest(KEY, id, TTL, false), NEVER);
  }

  private void release(ResourceKey key) {
    calls().release(new LockReference(lockId, key), TTL);
  }

  private void extend() {
    calls().extend(new LockReference(lockId, KEY), TTL, NEVER);
  }

  private void forgetEvents() {
    assertThat(events.of(observed)).isNotEmpty();
  }

  private void assertReported(String labels, ResourceKey key, LockId id) {
    List<LockEvent> reported = events.of(observed);
    assertThat(reported).hasSize(1);
    LockEvent event = reported.get(0);
    assertThat(labels(event)).isEqualTo(labels);
    assertThat(event.errorCode()).isNull();
    assertThat(event.keyHash()).isEqualTo(key == null ? null : key.hash());
    assertThat(event.lockIdHash()).isEqualTo(id == null ? null : id.hash());
    assertThat(event.elapsed()).isGreaterThanOrEqualTo(Duration.ZERO);
  }

  private static String labels(LockEvent event) {
    String outcome = event.type().label() + " " + event.result().label();
    return event.reason() == null ? outcome : outcome + " " + event.reason().label();
  }
}
