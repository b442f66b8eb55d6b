package io.syncguard.testkit.lock;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.ContentionSuite.inParallel;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Only the holder's id counts, however late or often it is used. */
public interface OwnershipSuite extends LockSuite {

  @Test
  default void aLateReleaseDoesNotFreeTheNextHoldersLock() throws InterruptedException {
    String key = newKey();
    LockHandle late = take(locks(), key, SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);
    try (LockHandle next = take(otherLocks(), key, LONG)) {
      LockInfo before = otherLocks().getByKey(key).orElseThrow();

      assertThat(late.release().isReleased()).isFalse();
      assertThat(locks().release(late.lockId()).isReleased()).isFalse();

      assertThat(otherLocks().getByKey(key)).contains(before);
      assertThat(otherLocks().owns(next.lockId())).isTrue();
    }
  }

  @Test
  default void aLateExtensionDoesNotTouchTheNextHoldersLock() throws InterruptedException {
    String key = newKey();
    LockHandle late = take(locks(), key, SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);
    try (LockHandle next = take(otherLocks(), key, Duration.ofMinutes(1))) {
      LockInfo before = otherLocks().getByKey(key).orElseThrow();

      assertThat(locks().extend(late.lockId(), LONG).isExtended()).isFalse();
      assertThat(late.extend(LONG).isExtended()).isFalse();

      assertThat(otherLocks().getByKey(key)).contains(before);
      assertThat(next.isHeld()).isTrue();
    }
  }

  @Test
  default void anIdThatNobodyHasReleasesAndExtendsNothing() {
    LockId unknown = LockId.random();
    assertThat(locks().release(unknown)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(locks().extend(unknown, LONG)).isEqualTo(NotExtended.NOT_FOUND);
    assertThat(locks().getById(unknown)).isEmpty();
    assertThat(locks().owns(unknown)).isFalse();
  }

  @Test
  default void anIdThatNobodyHasDoesNothingToTheKeyItIsUsedWith() {
    String key = newKey();
    try (LockHandle holder = take(locks(), key, LONG);
        Store client = fixture().openClient()) {
      LockReference wrong = new LockReference(LockId.random(), ResourceKey.of(key));
      LockInfo before = locks().getByKey(key).orElseThrow();

      assertThat(ask(client, new LockOperation.Release(wrong))).isEqualTo(ReleaseResult.NOT_FOUND);
      assertThat(ask(client, new LockOperation.Extend(wrong, LONG.multipliedBy(2))))
          .isEqualTo(NotExtended.NOT_FOUND);

      assertThat(locks().getByKey(key)).contains(before);
      assertThat(holder.isHeld()).isTrue();
    }
  }

  @Test
  default void ofManyReleasesOneSucceeds() {
    LockId lockId = take(locks(), newKey(), LONG).lockId();
    List<ReleaseResult> results =
        inParallel(16, i -> (i % 2 == 0 ? locks() : otherLocks()).release(lockId));
    assertThat(results).filteredOn(ReleaseResult::isReleased).hasSize(1);
    assertThat(results).filteredOn(r -> r == ReleaseResult.NOT_FOUND).hasSize(15);
  }

  @Test
  default void everyAcquisitionHasAnIdOfItsOwn() {
    String key = newKey();
    LockHandle first = take(locks(), key, LONG);
    first.close();
    try (LockHandle second = take(locks(), key, LONG)) {
      assertThat(second.lockId()).isNotEqualTo(first.lockId());
      assertThat(locks().release(first.lockId())).isEqualTo(ReleaseResult.NOT_FOUND);
      assertThat(second.isHeld()).isTrue();
    }
  }

  @Test
  default void anAcquisitionThatIsAskedForAgainIsGrantedAsBefore() {
    ResourceKey key = ResourceKey.of(newKey());
    try (Store client = fixture().openClient()) {
      LockOperation.Acquire acquire = acquisition(client, key);
      AcquireAttempt first = ask(client, acquire);

      assertThat(ask(client, acquire)).isEqualTo(first);

      assertThat(ask(client, acquisition(client, key))).isInstanceOf(AcquireAttempt.Held.class);
      ask(client, new LockOperation.Release(new LockReference(acquire.lockId(), key)));
    }
  }

  private static LockOperation.Acquire acquisition(Store client, ResourceKey key) {
    return new LockOperation.Acquire(key, client.locks().newLockId(key), LONG, false);
  }
}
