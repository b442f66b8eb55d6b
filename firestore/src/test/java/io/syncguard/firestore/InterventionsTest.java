package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another client does after an operation has read, and before it writes. */
class InterventionsTest extends OnFirestore {

  private String key;
  private LockId ours;
  private LockId others;

  @BeforeEach
  void choose() {
    key = newKey();
    ours = LockId.random();
    others = LockId.random();
  }

  private void meanwhile(Runnable intervention) {
    fixture.clock().atTheNextLook(intervention);
  }

  private LockReference ours(boolean keyIsKnown) {
    return new LockReference(ours, keyIsKnown ? ResourceKey.of(key) : null);
  }

  private void release(LockId lockId) {
    assertThat(
            ask(store, new LockOperation.Release(new LockReference(lockId, ResourceKey.of(key))))
                .isReleased())
        .isTrue();
  }

  private void passToTheOther() {
    release(ours);
    acquire(key, others);
  }

  private void assertTheOtherHolds(int fence) throws Exception {
    assertThat(stored("locks", key))
        .containsEntry("lockId", others.value())
        .containsEntry("fence", "00000000000000" + fence)
        .containsEntry("expiresAtMs", fixture.clock().currentTimeMillis() + TTL.toMillis());
    assertThat(stored("fence_counters", "fence:" + key))
        .containsEntry("fence", "00000000000000" + fence);
  }

  @Test
  void aLockThatIsTakenIsHeld() throws Exception {
    meanwhile(() -> acquire(key, others));
    assertThat(acquire(key, ours)).isInstanceOf(Held.class);
    assertTheOtherHolds(1);
  }

  @Test
  void anExpiredLockThatIsTakenOverIsHeld() throws Exception {
    LockId dead = LockId.random();
    store("locks", key, lockFields(key, dead, "000000000000005", Duration.ofMinutes(-1)));
    store("fence_counters", "fence:" + key, Map.of("fence", "000000000000005", "keyDebug", key));
    meanwhile(() -> acquire(key, others));
    assertThat(acquire(key, ours)).isInstanceOf(Held.class);
    assertTheOtherHolds(6);
  }

  @Test
  void aFenceThatIsUsedIsNotUsedAgain() {
    for (int round = 0; round < 2; round++) {
      meanwhile(
          () -> {
            acquire(key, others);
            release(others);
          });
      assertThat(((Granted) acquire(key, ours)).fence().toLong()).isEqualTo(2 * round + 2);
      release(ours);
    }
  }

  @Test
  void anAcquireThatIsCancelledWritesNothingAndSaysSo() throws Exception {
    CancelSignal signal = CancelSignal.create();
    meanwhile(signal::cancel);
    LockOperation.Acquire acquire =
        new LockOperation.Acquire(ResourceKey.of(key), ours, TTL, false);
    SyncGuardException failure =
        assertFails(Code.ABORTED, () -> join(store.execute(acquire, Call.of(signal))));
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(acquire(key, others)).isInstanceOf(Granted.class);
    assertTheOtherHolds(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReleaseDoesNotFreeTheNextHoldersLock(boolean keyIsKnown) throws Exception {
    acquire(key, ours);
    meanwhile(this::passToTheOther);
    assertThat(ask(store, new LockOperation.Release(ours(keyIsKnown))))
        .isEqualTo(ReleaseResult.NOT_FOUND);
    assertTheOtherHolds(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReleaseFreesWhatIsExtended(boolean keyIsKnown) throws Exception {
    acquire(key, ours);
    meanwhile(() -> ask(store, new LockOperation.Extend(ours(true), Duration.ofHours(1))));
    assertThat(ask(store, new LockOperation.Release(ours(keyIsKnown))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(stored("locks", key)).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anExtensionDoesNotBringBackWhatIsReleased(boolean keyIsKnown) throws Exception {
    acquire(key, ours);
    meanwhile(() -> release(ours));
    assertThat(ask(store, new LockOperation.Extend(ours(keyIsKnown), TTL)))
        .isEqualTo(NotExtended.NOT_FOUND);
    assertThat(stored("locks", key)).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anExtensionDoesNotTouchTheNextHoldersLock(boolean keyIsKnown) throws Exception {
    acquire(key, ours);
    meanwhile(this::passToTheOther);
    assertThat(ask(store, new LockOperation.Extend(ours(keyIsKnown), Duration.ofHours(1))))
        .isEqualTo(NotExtended.NOT_FOUND);
    assertTheOtherHolds(2);
  }

  @Test
  void ofTwoExtensionsTheLastOneHolds() throws Exception {
    acquire(key, ours);
    meanwhile(() -> ask(store, new LockOperation.Extend(ours(true), Duration.ofHours(1))));
    Extended last =
        (Extended) ask(store, new LockOperation.Extend(ours(true), Duration.ofHours(2)));
    assertThat(stored("locks", key)).containsEntry("expiresAtMs", last.expiresAt().toEpochMilli());
  }
}
