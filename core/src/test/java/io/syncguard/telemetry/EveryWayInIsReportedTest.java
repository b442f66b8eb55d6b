package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.AsyncLocks;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.Locks;
import io.syncguard.spi.HandMovedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whichever way an operation comes, it is reported once. */
class EveryWayInIsReportedTest {

  private static final String KEY = "patient:4711";
  private static final String END = "the end";
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

  private void assertReported(String... types) {
    assertThat(locks.isLocked(END)).isFalse();
    List<String> reported = new ArrayList<>();
    String end = KeyHash.of(END);
    for (LockEvent next = events.take(); !end.equals(next.keyHash()); next = events.take()) {
      reported.add(next.type().label());
    }
    assertThat(reported).containsExactly(types);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
