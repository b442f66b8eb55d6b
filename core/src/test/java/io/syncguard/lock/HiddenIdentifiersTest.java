package io.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CapturedLog;
import io.syncguard.Failure;
import io.syncguard.KeyHash;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.Subject;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Nothing that a log or an error message may show gives a raw key or lockId away. */
class HiddenIdentifiersTest {

  private static final String KEY = "patient:4711";
  private static final LockId LOCK_ID = LockId.of("abcdefghijklmnopqrstuw");

  @Test
  void aRawLockInfoShowsHashes() {
    RawLockInfo raw =
        new RawLockInfo(KEY, LOCK_ID, Instant.EPOCH, Instant.EPOCH.plusMillis(1), Fence.of(7));

    assertHidden(raw.toString(), LOCK_ID);
    assertThat(raw.sanitized())
        .isEqualTo(
            new LockInfo(
                KeyHash.of(KEY),
                LOCK_ID.hash(),
                Instant.EPOCH,
                Instant.EPOCH.plusMillis(1),
                Fence.of(7)));
  }

  @Test
  void aHandleShowsHashesAndItsFence() {
    try (SyncGuard guard = SyncGuard.open("memory:");
        LockHandle lock = guard.locks().lock(KEY)) {
      assertHidden(lock.toString(), lock.lockId());
      assertThat(lock.toString()).contains(lock.fence().toString());
    }
  }

  @Test
  void aWaitThatWasGivenUpShowsTheKeysHash() {
    LockOptions oneAttempt = LockOptions.defaults().withMaxWait(Duration.ZERO);
    try (SyncGuard guard = SyncGuard.open("memory:");
        LockHandle held = guard.locks().lock(KEY)) {
      assertThat(
              Failure.of(
                  SyncGuardException.Code.ACQUISITION_TIMEOUT,
                  () -> guard.locks().lock(KEY, oneAttempt)))
          .hasMessageContaining(KeyHash.of(KEY))
          .hasMessageNotContaining(KEY)
          .hasMessageNotContaining(held.lockId().value());
    }
  }

  @Test
  void aFailedReleaseIsLoggedWithHashes() {
    Subject lock = Subject.ofLock(KEY, LOCK_ID.value());
    ReleaseErrorHandler.Failure failure =
        new ReleaseErrorHandler.Failure(lock, ReleaseErrorHandler.Source.CLOSE);
    try (CapturedLog log = CapturedLog.open()) {
      ReleaseErrorHandler.logging()
          .onReleaseError(
              new SyncGuardException(
                  SyncGuardException.Code.NETWORK_TIMEOUT, "planted", lock, null),
              failure);

      assertHidden(log.text(), LOCK_ID);
      assertThat(log.text()).contains("NETWORK_TIMEOUT", "CLOSE");
    }
  }

  private static void assertHidden(String text, LockId lockId) {
    assertThat(text)
        .contains(KeyHash.of(KEY), lockId.hash())
        .doesNotContain(KEY)
        .doesNotContain(lockId.value());
  }
}
