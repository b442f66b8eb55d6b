package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.ReleaseErrorHandler;
import io.syncguard.lock.Contended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Liveness;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What happens when a holder stays away, at the expiry and in the tolerance after it. */
public interface ExpirySuite extends LockSuite {

  /** Inside the tolerance of a lock of the {@link #SHORT} lifetime, with room on both sides. */
  Duration WITHIN_THE_TOLERANCE = SHORT.plusMillis(Liveness.TOLERANCE_MS / 4);

  @Test
  default void withinTheToleranceALockIsStillHeld() throws InterruptedException {
    String key = newKey();
    LockHandle lock = take(locks(), key, SHORT);
    fixture().passTime(WITHIN_THE_TOLERANCE);

    assertThat(otherLocks().tryLock(key, LONG)).isInstanceOf(Contended.class);
    assertThat(otherLocks().isLocked(key)).isTrue();
    assertThat(otherLocks().getByKey(key)).isPresent();
    assertThat(otherLocks().owns(lock.lockId())).isTrue();
    assertThat(otherLocks().release(lock.lockId())).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  default void withinTheToleranceALockCanBeExtended() throws InterruptedException {
    String key = newKey();
    LockHandle lock = take(locks(), key, SHORT);
    fixture().passTime(WITHIN_THE_TOLERANCE);

    assertThat(otherLocks().extend(lock.lockId(), LONG).isExtended()).isTrue();
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    assertThat(otherLocks().owns(lock.lockId())).isTrue();
    otherLocks().release(lock.lockId());
  }

  @Test
  default void afterTheToleranceTheLockIsAnybodys() throws InterruptedException {
    String key = newKey();
    LockHandle late = take(locks(), key, SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    assertThat(otherLocks().isLocked(key)).isFalse();
    assertThat(otherLocks().getByKey(key)).isEmpty();
    assertThat(otherLocks().getById(late.lockId())).isEmpty();
    assertThat(otherLocks().owns(late.lockId())).isFalse();
    try (LockHandle next = take(otherLocks(), key, LONG)) {
      assertThat(next.fence().isNewerThan(late.fence())).isTrue();
    }
  }

  @Test
  default void aLateReleaseIsToldThatTheLockHadExpired() throws InterruptedException {
    LockHandle late = take(locks(), newKey(), SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);
    assertThat(late.release()).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(locks().release(late.lockId())).isEqualTo(ReleaseResult.NOT_FOUND);
  }

  @Test
  default void closingAHandleWhoseLockHasExpiredIsNoError() throws InterruptedException {
    Queue<ReleaseErrorHandler.Failure> failures = new ConcurrentLinkedQueue<>();
    Locks watched =
        open(guardOptions().withOnReleaseError((error, failure) -> failures.add(failure))).locks();
    LockHandle expired = take(watched, newKey(), SHORT);
    LockHandle taken = take(watched, newKey(), SHORT);
    LockHandle forgotten = take(watched, newKey(), LONG);
    fixture().passTime(UNTIL_SHORT_IS_OVER);
    LockHandle next = take(otherLocks(), taken.key(), LONG);
    otherLocks().release(forgotten.lockId());

    expired.close();
    taken.close();
    forgotten.close();

    assertThat(failures).isEmpty();
    assertThat(otherLocks().owns(next.lockId())).isTrue();
    next.close();
  }

  @Test
  default void anExpiredLockIsNotBroughtBackByAnExtension() throws InterruptedException {
    String key = newKey();
    LockHandle late = take(locks(), key, SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    assertThat(otherLocks().extend(late.lockId(), LONG)).isEqualTo(NotExtended.EXPIRED);

    assertThat(otherLocks().isLocked(key)).isFalse();
    take(otherLocks(), key, LONG).close();
  }

  @Test
  default void aHandleGivesItsLockUpAtTheEndOfItsOwnLease() throws InterruptedException {
    LockHandle lock = take(locks(), newKey(), SHORT);
    fixture().passTime(WITHIN_THE_TOLERANCE);

    assertThat(lock.isHeld()).isFalse();
    assertThat(lock.extend(LONG)).isEqualTo(NotExtended.EXPIRED);
    assertThat(lock.isHeld()).isFalse();
    lock.close();
  }

  @Test
  default void aWaiterTakesTheLockWhenItsHolderNeverComesBack() {
    String key = newKey();
    LockHandle gone = take(otherLocks(), key, SHORT);
    LockOptions options =
        ContentionSuite.ONLY_A_NOTIFICATION_HELPS.withTtl(LONG).withMaxWait(Duration.ofSeconds(30));
    try (LockHandle next = locks().lock(key, options)) {
      assertThat(next.fence().isNewerThan(gone.fence())).isTrue();
    }
  }

  @Test
  default void anExtendedLockOutlivesItsFirstLifetime() throws InterruptedException {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, Duration.ofSeconds(5))) {
      assertThat(lock.extend(LONG).isExtended()).isTrue();
      fixture().passTime(UNTIL_SHORT_IS_OVER);
      assertThat(otherLocks().tryLock(key)).isInstanceOf(Contended.class);
      assertThat(lock.isHeld()).isTrue();
    }
  }

  @Test
  default void askingDoesNotProlongALock() throws InterruptedException {
    String key = newKey();
    LockHandle lock = take(locks(), key, SHORT);
    fixture().passTime(SHORT);
    otherLocks().isLocked(key);
    otherLocks().getByKey(key);
    otherLocks().getById(lock.lockId());
    otherLocks().tryLock(key).close();
    fixture().passTime(Duration.ofMillis(Liveness.TOLERANCE_MS + 50));
    assertThat(otherLocks().isLocked(key)).isFalse();
  }
}
