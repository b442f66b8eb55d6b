package io.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.HandMovedTime;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UsedUpFencesTest {

  private static final ResourceKey KEY = ResourceKey.of("patient:4711");
  private static final Duration TTL = Duration.ofSeconds(10);

  private final HandMovedTime time = new HandMovedTime();
  private final LockId lockId = LockId.random();

  @Test
  void theFirstFenceIsOne() {
    assertThat(acquire(locks(0), lockId).fence()).isEqualTo(Fence.of(1));
  }

  @Test
  void theGreatestFenceIsHandedOutAndThenNone() {
    MemoryLocks locks = locks(Fence.MAX - 1);
    assertThat(acquire(locks, lockId).fence()).isEqualTo(Fence.of(Fence.MAX));
    assertThat(release(locks, lockId)).isEqualTo(ReleaseResult.RELEASED);

    assertUsedUp(locks, LockId.random());
  }

  @Test
  void nothingIsWritten() {
    MemoryLocks locks = locks(Fence.MAX);

    assertUsedUp(locks, lockId);

    assertThat(locks.size()).isZero();
    assertThat(Answer.of(locks.find(new LockOperation.FindByKey(KEY), Call.plain()))).isEmpty();
    assertThat(Answer.of(locks.find(new LockOperation.FindById(lockId), Call.plain()))).isEmpty();
    assertThat(release(locks, lockId)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(time.pendingTimers()).isZero();
    assertUsedUp(locks, lockId);
  }

  @Test
  void theExpiredRecordStaysAsItWas() {
    MemoryLocks locks = locks(Fence.MAX - 1);
    acquire(locks, lockId);
    time.move(TTL.plusMillis(1000));

    assertUsedUp(locks, LockId.random());

    assertThat(release(locks, lockId)).isEqualTo(ReleaseResult.EXPIRED);
  }

  @Test
  void theMessageTellsTheKeyAsAHash() {
    assertThat(assertUsedUp(locks(Fence.MAX), lockId))
        .hasMessageContaining(KEY.hash())
        .hasMessageNotContaining(KEY.value());
  }

  private MemoryLocks locks(long lastFence) {
    return new MemoryLocks(new StoreClock(time), lastFence);
  }

  private static Granted acquire(MemoryLocks locks, LockId lockId) {
    LockOperation.Acquire acquire = new LockOperation.Acquire(KEY, lockId, TTL, false);
    return (Granted) Answer.of(locks.acquire(acquire, Call.plain()));
  }

  private static ReleaseResult release(MemoryLocks locks, LockId lockId) {
    LockOperation.Release release = new LockOperation.Release(new LockReference(lockId, null));
    return Answer.of(locks.release(release, Call.ofRelease(TTL)));
  }

  private static SyncGuardException assertUsedUp(MemoryLocks locks, LockId lockId) {
    return Failure.of(SyncGuardException.Code.INTERNAL, () -> acquire(locks, lockId));
  }
}
