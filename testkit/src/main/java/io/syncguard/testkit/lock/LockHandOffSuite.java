package io.syncguard.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.testkit.history.HandOffHistory;
import io.syncguard.testkit.history.LockRecorder;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Thousands of hand-offs of a lock between clients, recorded and checked. */
public interface LockHandOffSuite extends QueuedLockSuite {

  /** How long the lock is held, so that other workers come to wait. */
  long HOLD_NANOS = 20_000;

  /** How many threads there are. */
  int WORKERS = 8;

  /** Returns how many hand-offs the test records; a slow store may do with fewer. */
  default int handOffsOfALock() {
    return 4000;
  }

  @Test
  default void aLockIsHandedOverInOrder() {
    openSteps();
    String key = newKey();
    HandOffHistory history = HandOffHistory.ofLock();
    List<SyncGuard> clients = List.of(openRecorded(history), openRecorded(history));
    int times = handOffsOfALock() / WORKERS;

    ContentionSuite.inParallel(
        WORKERS, worker -> passThrough(clients.get(worker % 2).locks(), key, times));

    history.check();
    assertThat(history.size()).isEqualTo(WORKERS * times);
    assertThat(history.waited()).as("how many had to wait").isGreaterThan(WORKERS * times / 10);
    assertThat(history.placesLost()).isZero();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  private SyncGuard openRecorded(HandOffHistory history) {
    return openOver(guardOptions(), new LockRecorder(history::add)::over);
  }

  private static int passThrough(Locks locks, String key, int times) {
    for (int i = 0; i < times; i++) {
      try (LockHandle lock = locks.lock(key, WAITING)) {
        assertThat(lock.isHeld()).isTrue();
        LockSupport.parkNanos(HOLD_NANOS);
      }
    }
    return times;
  }
}
