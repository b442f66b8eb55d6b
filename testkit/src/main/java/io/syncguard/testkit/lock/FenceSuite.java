package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import org.junit.jupiter.api.Test;

/** Each acquisition of a key gets a greater fence than all before it. */
public interface FenceSuite extends LockSuite {

  /** Returns how often a lock is acquired one time after another; a slow store does fewer. */
  default int acquisitionsInARow() {
    return 200;
  }

  @Test
  default void fencesIncreaseWithEveryAcquisition() {
    String key = newKey();
    Fence last = Fence.of(0);
    for (int i = 0; i < acquisitionsInARow(); i++) {
      Locks either = i % 3 == 0 ? otherLocks() : locks();
      try (LockHandle lock = take(either, key, LONG)) {
        assertThat(lock.fence()).isGreaterThan(last);
        assertThat(lock.fence().toString()).isGreaterThan(last.toString()).matches("[0-9]{15}");
        last = lock.fence();
      }
    }
  }

  @Test
  default void anExpiredHoldersFenceIsSmallerThanTheNextOnes() throws InterruptedException {
    String key = newKey();
    LockHandle late = take(locks(), key, SHORT);
    fixture().passTime(UNTIL_SHORT_IS_OVER);
    try (LockHandle next = take(otherLocks(), key, LONG)) {
      assertThat(next.fence()).isGreaterThan(late.fence());
    }
  }

  @Test
  default void contentionUsesNoFenceThatAHolderHas() {
    String key = newKey();
    LockHandle holder = take(locks(), key, LONG);
    for (int i = 0; i < 5; i++) {
      otherLocks().tryLock(key).close();
    }
    assertThat(otherLocks().getByKey(key).orElseThrow().fence()).isEqualTo(holder.fence());
    holder.close();
    try (LockHandle next = take(otherLocks(), key, LONG)) {
      assertThat(next.fence()).isGreaterThan(holder.fence());
    }
  }

  @Test
  default void anExtensionKeepsTheFence() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      lock.extend(LONG);
      assertThat(otherLocks().getByKey(key).orElseThrow().fence()).isEqualTo(lock.fence());
    }
  }

  @Test
  default void theStoreSaysThatItFences() {
    assertThat(locks().capabilities().fencing()).isTrue();
  }
}
