package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.Contended;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockInfo;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lock from its acquisition to its end, blocking and asynchronously. */
public interface LifecycleSuite extends LockSuite {

  @Test
  default void aReleasedLockCanBeTakenAgain() {
    String key = newKey();
    LockHandle first = take(locks(), key, LONG);
    assertThat(otherLocks().isLocked(key)).isTrue();

    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);

    assertThat(otherLocks().isLocked(key)).isFalse();
    take(otherLocks(), key, LONG).close();
  }

  @Test
  default void aHandleTellsWhatTheStoreHolds() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      RawLockInfo stored = otherLocks().getByKeyRaw(key).orElseThrow();
      assertThat(lock.key()).isEqualTo(key).isEqualTo(stored.key());
      assertThat(lock.lockId()).isEqualTo(stored.lockId());
      assertThat(lock.fence()).isEqualTo(stored.fence());
      assertThat(lock.expiresAt()).isEqualTo(stored.expiresAt());
      assertThat(Duration.between(stored.acquiredAt(), stored.expiresAt())).isEqualTo(LONG);
      assertThat(lock.isHeld()).isTrue();
    }
  }

  @Test
  default void aLockLivesThirtySecondsUnlessToldOtherwise() {
    String key = newKey();
    try (AcquireResult lock = locks().tryLock(key)) {
      LockInfo info = locks().getByKey(key).orElseThrow();
      assertThat(lock.isAcquired()).isTrue();
      assertThat(Duration.between(info.acquiredAt(), info.expiresAt()))
          .isEqualTo(LockOptions.DEFAULT_TTL);
    }
  }

  @Test
  default void closingReleasesOnceAndNeverThrows() {
    String key = newKey();
    LockHandle lock = take(locks(), key, LONG);
    lock.close();
    LockHandle next = take(otherLocks(), key, LONG);

    lock.close();
    lock.close();

    assertThat(lock.isHeld()).isFalse();
    assertThat(otherLocks().owns(next.lockId())).isTrue();
    next.close();
  }

  @Test
  default void closingAContendedResultLeavesTheHoldersLockAlone() {
    String key = newKey();
    try (LockHandle holder = take(locks(), key, LONG)) {
      try (AcquireResult contended = otherLocks().tryLock(key, LONG)) {
        assertThat(contended).isInstanceOf(Contended.class);
        assertThat(contended.isAcquired()).isFalse();
      }
      assertThat(otherLocks().owns(holder.lockId())).isTrue();
    }
  }

  @Test
  default void aHandleMayBeReleasedByAnotherThread() {
    LockHandle lock = take(locks(), newKey(), LONG);
    assertThat(CompletableFuture.supplyAsync(lock::release).join())
        .isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  default void theLockIdIsEnoughForAnotherProcessToExtendAndRelease() {
    String key = newKey();
    LockId passedOn = LockId.of(take(locks(), key, LONG).lockId().value());

    assertThat(otherLocks().extend(passedOn, LONG.multipliedBy(2)).isExtended()).isTrue();
    assertThat(otherLocks().release(passedOn)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(locks().isLocked(key)).isFalse();
  }

  @Test
  default void anExtensionSetsTheExpiryToNowPlusTheNewLifetime() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      ExtendResult shortened = lock.extend(Duration.ofMinutes(1));

      LockInfo info = otherLocks().getByKey(key).orElseThrow();
      assertThat(shortened).isEqualTo(new Extended(info.expiresAt()));
      assertThat(lock.expiresAt()).isEqualTo(info.expiresAt());
      assertThat(Duration.between(info.acquiredAt(), info.expiresAt()))
          .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
      assertThat(lock.isHeld()).isTrue();
    }
  }

  @Test
  default void aReleasedHandleExtendsNothing() {
    LockHandle lock = take(locks(), newKey(), LONG);
    lock.close();
    assertThat(lock.extend(LONG)).isEqualTo(ExtendResult.NotExtended.NOT_FOUND);
    assertThat(lock.release()).isEqualTo(ReleaseResult.NOT_FOUND);
  }

  @Test
  default void everyOperationHasAnAsynchronousTwin() {
    String key = newKey();
    LockHandle lock = (LockHandle) join(locks().async().tryLock(key, LONG));
    assertThat(join(otherLocks().async().tryLock(key))).isInstanceOf(Contended.class);
    assertThat(join(otherLocks().async().isLocked(key))).isTrue();
    assertThat(join(otherLocks().async().getByKey(key))).isEqualTo(locks().getByKey(key));
    assertThat(join(otherLocks().async().getById(lock.lockId())))
        .isEqualTo(locks().getById(lock.lockId()))
        .isPresent();
    assertThat(join(otherLocks().async().getByKeyRaw(key))).isEqualTo(locks().getByKeyRaw(key));
    assertThat(join(otherLocks().async().getByIdRaw(lock.lockId()))).isPresent();
    assertThat(join(otherLocks().async().owns(lock.lockId()))).isTrue();
    assertThat(join(otherLocks().async().extend(lock.lockId(), LONG)).isExtended()).isTrue();
    assertThat(join(lock.extendAsync(LONG)).isExtended()).isTrue();
    assertThat(join(lock.releaseAsync())).isEqualTo(ReleaseResult.RELEASED);
    assertThat(join(locks().async().release(lock.lockId()))).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(join(locks().async().isLocked(key))).isFalse();
  }

  @Test
  default void anAsynchronousTaskHoldsTheLockUntilItsStageIsDone() throws Exception {
    String key = newKey();
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result =
        locks().async().call(key, lock -> work).toCompletableFuture();
    eventually(() -> assertThat(otherLocks().isLocked(key)).isTrue());
    assertThat(result).isNotDone();

    work.complete("done");

    assertThat(join(result)).isEqualTo("done");
    assertThat(otherLocks().isLocked(key)).isFalse();
  }
}
