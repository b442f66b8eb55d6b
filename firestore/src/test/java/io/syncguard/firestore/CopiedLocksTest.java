package io.syncguard.firestore;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several documents with one lockId, as somebody makes who copies documents. */
class CopiedLocksTest extends OnFirestore {

  private static final Duration LONG_AGO = Duration.ofMinutes(-5);
  private static final String FENCE = "000000000000007";

  @Test
  void theLiveOneIsChosenAndTheOtherIsLeftAlone() throws Exception {
    String expired = newKey();
    String live = newKey();
    LockId lockId = LockId.random();
    store("locks", expired, lockFields(expired, lockId, FENCE, LONG_AGO));
    store("locks", live, lockFields(live, lockId, FENCE, TTL));
    assertThat(locks.lookup(lockId, NEVER).orElseThrow().key()).isEqualTo(live);
    assertThat(locks.extend(new LockReference(lockId, null), TTL, NEVER).isExtended()).isTrue();
    assertThat(locks.release(new LockReference(lockId, null), TTL))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(stored("locks", live)).isNull();
    assertThat(stored("locks", expired)).isNotNull();
    assertThat(locks.release(new LockReference(lockId, null), TTL))
        .isEqualTo(ReleaseResult.EXPIRED);
    assertThat(stored("locks", expired)).isNull();
  }

  @Test
  void aCopyUnderAnotherIdIsNotTakenForTheLock() throws Exception {
    String original = newKey();
    String copy = newKey();
    LockId id = LockId.random();
    store("locks", original, lockFields(original, id, FENCE, LONG_AGO));
    store("locks", copy, lockFields(original, id, FENCE, TTL));
    assertThat(locks.lookup(id, NEVER)).isEmpty();
    assertThat(locks.extend(new LockReference(id, null), TTL, NEVER))
        .isEqualTo(NotExtended.EXPIRED);
    assertThat(locks.release(new LockReference(id, null), TTL)).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(stored("locks", copy)).isNotNull();
  }

  @Test
  void ofTwoLiveOnesNoneIsGuessedButAHandleKnowsItsOwn() throws Exception {
    String one = newKey();
    String two = newKey();
    LockId id = LockId.random();
    store("locks", one, lockFields(one, id, FENCE, TTL));
    store("locks", two, lockFields(two, id, FENCE, TTL));
    assertFails(Code.INTERNAL, () -> locks.lookup(id, NEVER));
    assertFails(Code.INTERNAL, () -> locks.release(new LockReference(id, null), TTL));
    assertFails(Code.INTERNAL, () -> locks.extend(new LockReference(id, null), TTL, NEVER));
    assertThat(locks.release(new LockReference(id, ResourceKey.of(two)), TTL))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(stored("locks", one)).isNotNull();
    assertThat(stored("locks", two)).isNull();
    assertThat(locks.release(new LockReference(id, null), TTL)).isEqualTo(ReleaseResult.RELEASED);
  }
}
