package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several documents with one lockId, as a copy of a document makes. */
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
    assertThat(ask(store, new LockOperation.FindById(lockId)).orElseThrow().key()).isEqualTo(live);
    assertThat(
            ask(store, new LockOperation.Extend(new LockReference(lockId, null), TTL)).isExtended())
        .isTrue();
    assertThat(ask(store, new LockOperation.Release(new LockReference(lockId, null))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(stored("locks", live)).isNull();
    assertThat(stored("locks", expired)).isNotNull();
    assertThat(ask(store, new LockOperation.Release(new LockReference(lockId, null))))
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
    assertThat(ask(store, new LockOperation.FindById(id))).isEmpty();
    assertThat(ask(store, new LockOperation.Extend(new LockReference(id, null), TTL)))
        .isEqualTo(NotExtended.EXPIRED);
    assertThat(ask(store, new LockOperation.Release(new LockReference(id, null))))
        .isEqualTo(ReleaseResult.EXPIRED);
    assertThat(stored("locks", copy)).isNotNull();
  }

  @Test
  void ofTwoLiveOnesNoneIsGuessedButAHandleKnowsItsOwn() throws Exception {
    String one = newKey();
    String two = newKey();
    LockId id = LockId.random();
    store("locks", one, lockFields(one, id, FENCE, TTL));
    store("locks", two, lockFields(two, id, FENCE, TTL));
    assertFails(Code.INTERNAL, () -> ask(store, new LockOperation.FindById(id)));
    assertFails(
        Code.INTERNAL, () -> ask(store, new LockOperation.Release(new LockReference(id, null))));
    assertFails(
        Code.INTERNAL,
        () -> ask(store, new LockOperation.Extend(new LockReference(id, null), TTL)));
    assertThat(ask(store, new LockOperation.Release(new LockReference(id, ResourceKey.of(two)))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(stored("locks", one)).isNotNull();
    assertThat(stored("locks", two)).isNull();
    assertThat(ask(store, new LockOperation.Release(new LockReference(id, null))))
        .isEqualTo(ReleaseResult.RELEASED);
  }
}
