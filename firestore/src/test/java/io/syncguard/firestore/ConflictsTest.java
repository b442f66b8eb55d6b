package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.ContentionSuite.inParallel;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several change the same document at the same time. */
class ConflictsTest extends OnFirestore {

  private static final int MANY = 8;

  @Test
  void anExpiredLockIsTakenOverByOneOnly() throws Exception {
    String key = newKey();
    store(
        "locks", key, lockFields(key, LockId.random(), "000000000000005", Duration.ofMinutes(-1)));
    store("fence_counters", "fence:" + key, Map.of("fence", "000000000000005", "keyDebug", key));
    List<AcquireAttempt> attempts = inParallel(MANY, i -> acquire(key, LockId.random()));
    assertThat(attempts).filteredOn(Granted.class::isInstance).hasSize(1);
    assertThat(stored("fence_counters", "fence:" + key)).containsEntry("fence", "000000000000006");
  }

  @Test
  void ofManyReleasesOneReleases() {
    for (boolean keyIsKnown : new boolean[] {true, false}) {
      String key = newKey();
      LockId lockId = LockId.random();
      acquire(key, lockId);
      LockReference lock = new LockReference(lockId, keyIsKnown ? ResourceKey.of(key) : null);
      List<ReleaseResult> results =
          inParallel(MANY, i -> ask(store, new LockOperation.Release(lock)));
      assertThat(results).filteredOn(ReleaseResult::isReleased).hasSize(1);
      assertThat(results).doesNotContain(ReleaseResult.EXPIRED);
    }
  }

  @Test
  void anExtensionDoesNotBringBackWhatIsBeingReleased() throws Exception {
    String key = newKey();
    LockId lockId = LockId.random();
    acquire(key, lockId);
    LockReference lock = new LockReference(lockId, ResourceKey.of(key));
    List<Object> results =
        inParallel(
            MANY,
            i ->
                i == 0
                    ? ask(store, new LockOperation.Release(lock))
                    : ask(store, new LockOperation.Extend(lock, TTL)));
    assertThat(results.get(0)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(results.subList(1, MANY))
        .allMatch(
            result -> result == NotExtended.NOT_FOUND || result instanceof ExtendResult.Extended);
    assertThat(stored("locks", key)).isNull();
  }
}
