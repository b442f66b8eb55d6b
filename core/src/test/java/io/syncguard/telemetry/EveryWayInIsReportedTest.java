package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.GuardOptions;
import io.syncguard.Primitive;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.AsyncLocks;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockLostException;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.spi.HandMovedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whichever way an operation comes, it is reported once; so are its wait and its hold. */
class EveryWayInIsReportedTest {

  private static final String KEY = "patient:4711";
  private static final Duration TTL = Duration.ofSeconds(9);

  private final HandMovedTime time = new HandMovedTime();
  private final RecordedEvents events = new RecordedEvents();
  private final SyncGuard guard =
      SyncGuard.open(
          "memory:",
          GuardOptions.defaults().withTimeSource(time).withTelemetry(Telemetry.to(events)));
  private final Locks locks = guard.locks();

  @AfterEach
  void closeGuard() {
    guard.close();
  }

  @Test
  void blockingCalls() {
    LockId id = ((LockHandle) locks.tryLock(KEY)).lockId();
    locks.extend(id, TTL);
    locks.isLocked(KEY);
    locks.getByKey(KEY);
    locks.getById(id);
    locks.owns(id);
    locks.release(id);

    assertReported("acquire", "extend", "isLocked", "lookup", "lookup", "lookup", "release");
  }

  @Test
  void asynchronousCalls() {
    AsyncLocks async = locks.async();
    AcquireResult acquired = join(async.tryLock(KEY));
    LockId id = ((LockHandle) acquired).lockId();
    join(async.extend(id, TTL));
    join(async.isLocked(KEY));
    join(async.getByKey(KEY));
    join(async.getById(id));
    join(async.owns(id));
    join(async.release(id));

    assertReported("acquire", "extend", "isLocked", "lookup", "lookup", "lookup", "release");
  }

  @Test
  void callsThroughAHandle() {
    try (LockHandle lock = locks.lock(KEY)) {
      lock.extend(TTL);
      join(lock.extendAsync(TTL));
      lock.release();
    }

    assertReported("acquire", "extend", "extend", "release");
  }

  @Test
  void helpers() {
    locks.run(KEY, lock -> {});
    join(locks.async().call(KEY, lock -> CompletableFuture.completedFuture("done")));

    assertReported("acquire", "release", "acquire", "release");
  }

  @Test
  void autoExtension() {
    try (AcquireResult acquired = locks.tryLock(KEY, TTL)) {
      ((LockHandle) acquired).autoExtend(Duration.ofHours(1));
      time.move(TTL);
    }

    assertReported("acquire", "extend", "extend", "extend", "release");
  }

  @Test
  void theWaitAndTheHoldOfATask() {
    locks.run(KEY, lock -> {});
    join(locks.async().call(KEY, lock -> CompletableFuture.completedFuture("done")));

    List<Event> reported = events.of(guard, Event.class);
    assertThat(reported)
        .extracting(event -> (Object) event.getClass())
        .containsExactly(
            OperationEvent.class,
            WaitEvent.class,
            OperationEvent.class,
            HoldEvent.class,
            OperationEvent.class,
            WaitEvent.class,
            OperationEvent.class,
            HoldEvent.class);
    assertThat(reported)
        .filteredOn(HoldEvent.class::isInstance)
        .extracting(event -> ((HoldEvent) event).end())
        .containsOnly(HoldEvent.End.RELEASED);
  }

  @Test
  void aTaskThatOutlivesItsLock() {
    LockOptions fixed = LockOptions.defaults().withTtl(TTL).withFixedLease();
    assertThatExceptionOfType(LockLostException.class)
        .isThrownBy(() -> locks.run(KEY, fixed, lock -> time.move(TTL)));
    CompletionStage<String> late =
        locks
            .async()
            .call(
                KEY,
                fixed,
                lock -> {
                  time.move(TTL);
                  return CompletableFuture.completedFuture("late");
                });
    assertThat(late)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(LockLostException.class);

    assertThat(events.of(guard, HoldEvent.class))
        .extracting(HoldEvent::end)
        .containsExactly(HoldEvent.End.LOST, HoldEvent.End.LOST);
  }

  @Test
  void waitsWhoseFuturesAreCancelled() {
    locks.lock(KEY);
    FairSemaphore semaphore = guard.semaphore(KEY, 1);
    semaphore.acquire();
    assertThat(locks.async().lock(KEY).toCompletableFuture().cancel(true)).isTrue();
    assertThat(semaphore.async().acquire().toCompletableFuture().cancel(true)).isTrue();

    List<WaitEvent> reported = events.of(guard, WaitEvent.class);
    assertThat(reported)
        .extracting(WaitEvent::errorCode)
        .containsExactly(null, null, Code.ABORTED, Code.ABORTED);
    assertThat(reported)
        .extracting(event -> event.subject().primitive())
        .containsExactly(Primitive.LOCK, Primitive.SEMAPHORE, Primitive.LOCK, Primitive.SEMAPHORE);
  }

  private void assertReported(String... operations) {
    assertThat(events.of(guard, OperationEvent.class))
        .extracting(OperationEvent::operation)
        .containsExactly(operations);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
