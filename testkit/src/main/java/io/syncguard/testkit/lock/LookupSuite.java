package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.KeyHash;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockInfo;
import io.syncguard.lock.RawLockInfo;
import org.junit.jupiter.api.Test;

/** What can be seen of a lock, and what cannot. */
public interface LookupSuite extends LockSuite {

  @Test
  default void aLookupShowsHashesAndNothingRaw() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      LockInfo info = otherLocks().getByKey(key).orElseThrow();
      assertThat(info.keyHash()).isEqualTo(KeyHash.of(key)).matches("[0-9a-f]{24}");
      assertThat(info.lockIdHash()).isEqualTo(KeyHash.of(lock.lockId().value()));
      assertThat(info.fence()).isEqualTo(lock.fence());
      assertThat(info.toString()).doesNotContain(key).doesNotContain(lock.lockId().value());
    }
  }

  @Test
  default void aLookupByIdShowsTheSameAsOneByKey() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      assertThat(otherLocks().getById(lock.lockId()))
          .isPresent()
          .isEqualTo(otherLocks().getByKey(key));
      assertThat(otherLocks().getByIdRaw(lock.lockId()))
          .isPresent()
          .isEqualTo(otherLocks().getByKeyRaw(key));
    }
  }

  @Test
  default void rawLookupsShowTheIdentifiersButDoNotPrintThem() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      RawLockInfo raw = otherLocks().getByKeyRaw(key).orElseThrow();
      assertThat(raw.key()).isEqualTo(key);
      assertThat(raw.lockId()).isEqualTo(lock.lockId());
      assertThat(raw.toString()).doesNotContain(key).doesNotContain(lock.lockId().value());
      assertThat(lock.toString()).doesNotContain(key).doesNotContain(lock.lockId().value());
    }
  }

  @Test
  default void aLookupChangesNothing() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      LockInfo before = otherLocks().getByKey(key).orElseThrow();
      for (int i = 0; i < 10; i++) {
        otherLocks().isLocked(key);
        otherLocks().getById(lock.lockId());
      }
      assertThat(otherLocks().getByKey(key)).contains(before);
    }
  }

  @Test
  default void anExtensionShowsInTheExpiryOnly() {
    String key = newKey();
    try (LockHandle lock = take(locks(), key, LONG)) {
      LockInfo before = otherLocks().getByKey(key).orElseThrow();
      lock.extend(LONG.multipliedBy(2));
      LockInfo after = otherLocks().getByKey(key).orElseThrow();
      assertThat(after.expiresAt()).isAfter(before.expiresAt());
      assertThat(after)
          .isEqualTo(
              new LockInfo(
                  before.keyHash(),
                  before.lockIdHash(),
                  after.expiresAt(),
                  before.acquiredAt(),
                  before.fence()));
    }
  }

  @Test
  default void nothingIsFoundWhereNothingIsLocked() {
    String key = newKey();
    LockHandle lock = take(locks(), key, LONG);
    lock.close();
    assertThat(otherLocks().getByKey(key)).isEmpty();
    assertThat(otherLocks().getByKeyRaw(key)).isEmpty();
    assertThat(otherLocks().getById(lock.lockId())).isEmpty();
    assertThat(otherLocks().owns(lock.lockId())).isFalse();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }
}
