package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input gets a clear error and changes nothing; nothing raw is in a message. */
public interface ErrorSuite extends LockSuite {

  /** Lifetimes that are none. */
  static Stream<Duration> badTtls() {
    return Stream.of(
        Duration.ZERO,
        Duration.ofMillis(-1),
        Duration.ofNanos(999_999),
        Duration.ofSeconds(Long.MAX_VALUE),
        Duration.ofDays(40_000));
  }

  @ParameterizedTest
  @MethodSource("io.syncguard.testkit.lock.ErrorSuite#badTtls")
  default void aBadLifetimeIsRefusedAndChangesNothing(Duration ttl) {
    String key = newKey();
    assertFails(Code.INVALID_ARGUMENT, () -> locks().tryLock(key, ttl));
    assertFails(Code.INVALID_ARGUMENT, () -> join(locks().async().tryLock(key, ttl)));
    assertFails(Code.INVALID_ARGUMENT, () -> LockOptions.defaults().withTtl(ttl));
    assertThat(otherLocks().isLocked(key)).isFalse();
    try (LockHandle lock = take(locks(), key, LONG)) {
      assertFails(Code.INVALID_ARGUMENT, () -> lock.extend(ttl));
      assertFails(Code.INVALID_ARGUMENT, () -> locks().extend(lock.lockId(), ttl));
      assertThat(otherLocks().getByKey(key).orElseThrow().expiresAt()).isEqualTo(lock.expiresAt());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "AAAAAAAAAAAAAAAAAAAAA=",
        "AAAAAAAAAAAAAAAAAAAAAA\n",
        "AAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAA AAAAAAAAAA",
        "ÀAAAAAAAAAAAAAAAAAAAAA"
      })
  default void aMalformedLockIdIsRefused(String malformed) {
    assertThat(LockId.isValid(malformed)).isFalse();
    assertFails(Code.INVALID_ARGUMENT, () -> LockId.of(malformed));
  }

  @Test
  default void aFailureNamesTheKeyByItsHashOnly() {
    String key = newKey();
    try (LockHandle holder = take(otherLocks(), key, LONG)) {
      SyncGuardException failure =
          assertFails(
              Code.ACQUISITION_TIMEOUT,
              () -> locks().lock(key, LockOptions.defaults().withMaxWait(Duration.ZERO)));
      assertThat(failure).hasMessageContaining(KeyHash.of(key));
      assertThat(failure.toString()).doesNotContain(key);
      assertThat(failure.subject().toString()).doesNotContain(key);
      assertThat(failure.subject().name()).isEqualTo(key);
      assertThat(holder.isHeld()).isTrue();
    }
  }

  @Test
  default void aWaiterIsToldThatItsOwnProcessHoldsTheLock() {
    String key = newKey();
    LockOptions once = LockOptions.defaults().withMaxWait(Duration.ZERO);
    try (LockHandle holder = take(locks(), key, LONG)) {
      assertThat(assertFails(Code.ACQUISITION_TIMEOUT, () -> locks().lock(key, once)))
          .hasMessageContaining("this process holds it already");
      assertThat(assertFails(Code.ACQUISITION_TIMEOUT, () -> otherLocks().lock(key, once)))
          .hasMessageNotContaining("this process");
      assertThat(holder.isHeld()).isTrue();
    }
  }

  @Test
  default void aClosedGuardRefusesEverythingAtOnce() {
    SyncGuard guard = open(guardOptions());
    Locks locks = guard.locks();
    String key = newKey();
    LockHandle held = take(locks, key, LONG);

    guard.close();
    guard.close();

    assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.tryLock(key)).isTransient())
        .isFalse();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.lock(key));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.isLocked(key));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.getByKey(key));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(locks.async().tryLock(key)));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(locks.async().lock(key)));
    assertFails(Code.SERVICE_UNAVAILABLE, held::release);
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(held.releaseAsync()));
    held.close();
    assertThat(otherLocks().owns(held.lockId())).isTrue();
    otherLocks().release(held.lockId());
  }

  @Test
  default void closingAGuardEndsItsWaiters() {
    String key = newKey();
    SyncGuard guard = open(guardOptions());
    try (LockHandle holder = take(otherLocks(), key, LONG)) {
      CompletableFuture<LockHandle> waiter =
          guard.locks().async().lock(key, ContentionSuite.PATIENT).toCompletableFuture();

      guard.close();

      assertFails(Code.SERVICE_UNAVAILABLE, () -> join(waiter));
      assertThat(holder.isHeld()).isTrue();
    }
  }
}
