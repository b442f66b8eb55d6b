package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SweeperTest {

  private final HandMovedTime time = new HandMovedTime();
  private final MemoryLocks locks = new MemoryLocks(new StoreClock(time));

  @Test
  void locksThatExpiredLongAgoAreForgotten() {
    for (int i = 0; i < 1000; i++) {
      acquire("key-" + i, Duration.ofSeconds(1));
    }
    assertThat(locks.size()).isEqualTo(1000);

    time.move(Duration.ofSeconds(20));

    assertThat(locks.size()).isZero();
  }

  @Test
  void aLockThatExpiredLessThanFiveSecondsAgoIsKeptToTellALateRelease() {
    LockId late = acquire("key", Duration.ofSeconds(5));

    time.move(Duration.ofSeconds(10));

    assertThat(locks.size()).isEqualTo(1);
    assertThat(release(late)).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(locks.size()).isZero();
  }

  @Test
  void aReleaseAfterTheLockIsForgottenFindsNothing() {
    LockId tooLate = acquire("key", Duration.ofMillis(4999));

    time.move(Duration.ofSeconds(10));

    assertThat(locks.size()).isZero();
    assertThat(release(tooLate)).isEqualTo(ReleaseResult.NOT_FOUND);
  }

  @Test
  void aLiveLockIsNeverForgotten() {
    LockId held = acquire("key", Duration.ofHours(1));

    time.move(Duration.ofMinutes(59));

    assertThat(release(held)).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void onlyOneTimerRunsHoweverManyLocksThereAre() {
    for (int i = 0; i < 100; i++) {
      acquire("key-" + i, Duration.ofHours(1));
    }
    assertThat(time.pendingTimers()).isEqualTo(1);

    time.move(Duration.ofMinutes(1));

    assertThat(time.pendingTimers()).isEqualTo(1);
  }

  @Test
  void noTimerRunsWhileThereIsNothingToForget() {
    assertThat(time.pendingTimers()).isZero();
    release(acquire("key", Duration.ofHours(1)));

    time.move(Duration.ofSeconds(10));

    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void sweepingBeginsAgainWithTheNextLock() {
    acquire("key", Duration.ofSeconds(1));
    time.move(Duration.ofMinutes(1));
    assertThat(time.pendingTimers()).isZero();

    acquire("key", Duration.ofSeconds(1));
    assertThat(locks.size()).isEqualTo(1);
    time.move(Duration.ofMinutes(1));

    assertThat(locks.size()).isZero();
  }

  @Test
  void aClosedStoreForgetsEverythingAndEndsItsTimer() {
    acquire("key", Duration.ofHours(1));

    locks.close();
    time.move(Duration.ofSeconds(10));

    assertThat(locks.size()).isZero();
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void aTimerDoesNotKeepAStoreThatIsNotUsed() {
    WeakReference<MemoryLocks> unused = new WeakReference<>(storeWithALock());

    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return unused.refersTo(null);
            });

    time.move(Duration.ofSeconds(10));
    assertThat(time.pendingTimers()).isZero();
  }

  private MemoryLocks storeWithALock() {
    MemoryLocks store = new MemoryLocks(new StoreClock(time));
    acquire(store, "key", Duration.ofHours(1));
    assertThat(time.pendingTimers()).isEqualTo(1);
    return store;
  }

  private LockId acquire(String key, Duration ttl) {
    return acquire(locks, key, ttl);
  }

  private static LockId acquire(MemoryLocks store, String key, Duration ttl) {
    LockId lockId = LockId.random();
    assertThat(
            Answer.of(
                store.acquire(
                    new LockOperation.Acquire(ResourceKey.of(key), lockId, ttl, false),
                    Call.plain())))
        .isInstanceOf(Granted.class);
    return lockId;
  }

  private ReleaseResult release(LockId lockId) {
    LockOperation.Release release = new LockOperation.Release(new LockReference(lockId, null));
    return Answer.of(locks.release(release, Call.ofRelease(Duration.ofSeconds(5))));
  }
}
