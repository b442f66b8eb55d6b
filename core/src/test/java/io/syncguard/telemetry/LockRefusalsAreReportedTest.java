package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.AsyncLocks;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.spi.HandMovedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ends before the store is asked is reported too, with the reason or the code. */
class LockRefusalsAreReportedTest {

  private static final String KEY = "patient:4711";
  private static final Duration TTL = Duration.ofSeconds(9);
  private static final LockId ID = LockId.random();

  private final HandMovedTime time = new HandMovedTime();
  private final RecordedEvents events = new RecordedEvents();
  private final SyncGuard guard = open();
  private final Locks locks = guard.locks();

  private SyncGuard open() {
    return SyncGuard.open(
        "memory:",
        GuardOptions.defaults().withTimeSource(time).withTelemetry(Telemetry.to(events)));
  }

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @Test
  void anExtensionThatALostHandleRefuses() {
    LockHandle lock = (LockHandle) locks.tryLock(KEY, TTL);
    time.move(TTL);
    lock.extend(TTL);
    join(lock.extendAsync(TTL));

    assertReported("acquire ok", "extend fail expired", "extend fail expired");
  }

  @Test
  void whatAReleasedHandleRefuses() {
    LockHandle lock = (LockHandle) locks.tryLock(KEY, TTL);
    lock.release();
    lock.extend(TTL);
    lock.release();
    join(lock.releaseAsync());
    lock.close();

    assertReported(
        "acquire ok",
        "release ok",
        "extend fail not-found",
        "release fail not-found",
        "release fail not-found");
  }

  @Test
  void aRefusedExtensionHasTheHashesOfItsLock() {
    LockHandle lock = (LockHandle) locks.tryLock(KEY, TTL);
    time.move(TTL);
    lock.extend(TTL);

    OperationEvent refused = events.of(guard, OperationEvent.class).get(1);
    assertThat(RecordedEvents.text(refused)).isEqualTo("extend fail expired");
    assertThat(refused.subject().nameHash()).isEqualTo(KeyHash.of(KEY));
    assertThat(refused.subject().idHash()).isEqualTo(lock.lockId().hash());
    assertThat(refused.subject().name()).isNull();
    assertThat(refused.ids()).isEqualTo(1);
  }

  @Test
  void aBadKey() {
    for (String bad : List.of("", "x".repeat(513), "a\0b", "\ud800")) {
      fails(() -> locks.tryLock(bad));
      fails(() -> locks.lock(bad));
      fails(() -> locks.run(bad, lock -> {}));
      fails(() -> locks.isLocked(bad));
      fails(() -> locks.getByKey(bad));
      AsyncLocks async = locks.async();
      fails(() -> join(async.tryLock(bad)));
      fails(() -> join(async.lock(bad)));
      fails(() -> join(async.call(bad, lock -> CompletableFuture.completedFuture("done"))));
      fails(() -> join(async.isLocked(bad)));
      fails(() -> join(async.getByKey(bad)));

      assertReported(
          "acquire fail INVALID_ARGUMENT",
          "acquire fail INVALID_ARGUMENT",
          "acquire fail INVALID_ARGUMENT",
          "isLocked fail INVALID_ARGUMENT",
          "lookup fail INVALID_ARGUMENT",
          "acquire fail INVALID_ARGUMENT",
          "acquire fail INVALID_ARGUMENT",
          "acquire fail INVALID_ARGUMENT",
          "isLocked fail INVALID_ARGUMENT",
          "lookup fail INVALID_ARGUMENT");
    }
  }

  @Test
  void aBadLifetime() {
    LockHandle lock = (LockHandle) locks.tryLock(KEY, TTL);
    fails(() -> locks.tryLock(KEY, Duration.ZERO));
    fails(() -> locks.extend(ID, Duration.ZERO));
    fails(() -> lock.extend(Duration.ZERO));
    fails(() -> join(locks.async().tryLock(KEY, Duration.ZERO)));
    fails(() -> join(locks.async().extend(ID, Duration.ZERO)));
    fails(() -> join(lock.extendAsync(Duration.ZERO)));

    assertReported(
        "acquire ok",
        "acquire fail INVALID_ARGUMENT",
        "extend fail INVALID_ARGUMENT",
        "extend fail INVALID_ARGUMENT",
        "acquire fail INVALID_ARGUMENT",
        "extend fail INVALID_ARGUMENT",
        "extend fail INVALID_ARGUMENT");
  }

  @Test
  void aSignalThatIsCancelled() {
    LockHandle lock = (LockHandle) locks.tryLock(KEY, TTL);
    CancelSignal signal = CancelSignal.create();
    signal.cancel();
    Locks cancelled = locks.cancelledBy(signal);
    fails(() -> cancelled.tryLock(KEY));
    fails(() -> cancelled.lock(KEY));
    fails(() -> cancelled.extend(ID, TTL));
    fails(() -> lock.extend(TTL, signal));
    fails(() -> join(lock.extendAsync(TTL, signal)));
    fails(() -> cancelled.isLocked(KEY));
    fails(() -> cancelled.getByKey(KEY));
    fails(() -> cancelled.owns(ID));
    fails(() -> join(cancelled.async().tryLock(KEY)));
    fails(() -> join(cancelled.async().lock(KEY)));
    fails(() -> join(cancelled.async().extend(ID, TTL)));
    fails(() -> join(cancelled.async().isLocked(KEY)));
    fails(() -> join(cancelled.async().getByKey(KEY)));
    fails(() -> join(cancelled.async().owns(ID)));

    assertReported(
        "acquire ok",
        "acquire fail ABORTED",
        "acquire fail ABORTED",
        "extend fail ABORTED",
        "extend fail ABORTED",
        "extend fail ABORTED",
        "isLocked fail ABORTED",
        "lookup fail ABORTED",
        "lookup fail ABORTED",
        "acquire fail ABORTED",
        "acquire fail ABORTED",
        "extend fail ABORTED",
        "isLocked fail ABORTED",
        "lookup fail ABORTED",
        "lookup fail ABORTED");
  }

  @Test
  void anInterruptedThread() {
    Thread.currentThread().interrupt();
    fails(() -> locks.tryLock(KEY));
    assertThat(Thread.interrupted()).isTrue();

    assertReported("acquire fail ABORTED");
  }

  @Test
  void aWaitThatIsCancelled() {
    locks.tryLock(KEY, TTL);
    CancelSignal signal = CancelSignal.create();
    CompletionStage<LockHandle> waiting =
        locks.cancelledBy(signal).async().lock(KEY, LockOptions.defaults().withMaxWait(TTL));
    signal.cancel();
    fails(() -> join(waiting));

    List<String> reported = reported(guard);
    assertThat(reported).startsWith("acquire ok", "acquire fail queued");
    assertThat(reported).endsWith("acquire fail ABORTED", "release ok");
    assertThat(reported).containsOnlyOnce("acquire fail ABORTED");
  }

  @Test
  void aClosedGuard() {
    SyncGuard closed = open();
    LockHandle lock = (LockHandle) closed.locks().tryLock(KEY, TTL);
    lock.release();
    closed.close();
    fails(() -> closed.locks().tryLock(KEY));
    fails(() -> closed.locks().isLocked(KEY));
    fails(() -> closed.locks().release(ID));
    fails(() -> join(closed.locks().async().release(ID)));

    assertThat(reported(closed))
        .containsExactly(
            "acquire ok",
            "release ok",
            "acquire fail SERVICE_UNAVAILABLE",
            "isLocked fail SERVICE_UNAVAILABLE",
            "release fail SERVICE_UNAVAILABLE",
            "release fail SERVICE_UNAVAILABLE");
  }

  private static void fails(Runnable operation) {
    assertThatExceptionOfType(SyncGuardException.class).isThrownBy(operation::run);
  }

  private void assertReported(String... expected) {
    assertThat(reported(guard)).containsExactly(expected);
  }

  private List<String> reported(SyncGuard reporting) {
    return events.of(reporting, OperationEvent.class).stream().map(RecordedEvents::text).toList();
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (SyncGuardException) e.getCause();
    }
  }
}
