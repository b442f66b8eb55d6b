package io.syncguard.firestore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What isLocked deletes where it may. */
class CleanupTest extends OnFirestore {

  private static final FirestoreStoreOptions CLEANING =
      FirestoreFixture.PATIENT.withCleanupInIsLocked(true);
  private static final String FENCE = "000000000000007";

  private String key;
  private Store cleaning;

  @BeforeEach
  void openOneThatCleansUp() {
    key = newKey();
    cleaning = FirestoreStore.over(firestore(), CLEANING, fixture.clock());
  }

  /** Stores a lock that expired so long ago, and its counter. */
  private void storeExpired(String named, Duration ago) throws Exception {
    store("locks", named, lockFields(named, LockId.random(), FENCE, ago.negated()));
    store("fence_counters", "fence:" + named, Map.of("fence", FENCE, "keyDebug", named));
  }

  private static boolean isLocked(Store by, String named) {
    return ask(by, new LockOperation.IsLocked(ResourceKey.of(named)));
  }

  @Test
  void aLockThatExpiredLongAgoIsDeletedButNotItsFenceCounter() throws Exception {
    storeExpired(key, Duration.ofMillis(2001));
    assertThat(isLocked(cleaning, key)).isFalse();
    eventually(() -> assertThat(stored("locks", key)).isNull());
    assertThat(stored("fence_counters", "fence:" + key)).containsEntry("fence", FENCE);
    assertThat(((Granted) acquire(key, LockId.random())).fence().toLong()).isEqualTo(8);
  }

  /** The clean-up of another lock, which comes after, shows that there was none of the first. */
  @Test
  void aLockThatHasJustExpiredStays() throws Exception {
    String old = newKey();
    storeExpired(key, Duration.ofSeconds(2));
    storeExpired(old, Duration.ofSeconds(3));
    assertThat(isLocked(cleaning, key)).isFalse();
    assertThat(isLocked(cleaning, old)).isFalse();
    eventually(() -> assertThat(stored("locks", old)).isNull());
    assertThat(stored("locks", key)).isNotNull();
  }

  @Test
  void itCleansUpOnceInAWhileOnly() throws Exception {
    String second = newKey();
    String third = newKey();
    for (String named : new String[] {key, second, third}) {
      storeExpired(named, Duration.ofHours(1));
    }
    MovableTime time = MovableTime.frozen();
    Store limited = FirestoreStore.over(firestore(), CLEANING, time);
    isLocked(limited, key);
    isLocked(limited, second);
    time.advance(Cleanup.AT_MOST_EVERY);
    isLocked(limited, third);
    eventually(() -> assertThat(stored("locks", key)).isNull());
    eventually(() -> assertThat(stored("locks", third)).isNull());
    assertThat(stored("locks", second)).isNotNull();
  }

  @Test
  void aLockThatIsTakenMeanwhileStays() throws Exception {
    store("locks", key, lockFields(key, LockId.random(), FENCE, Duration.ofSeconds(-3)));
    LockId next = LockId.random();
    fixture.clock().atTheNextLook(() -> acquire(key, next));
    assertThat(isLocked(cleaning, key)).isFalse();
    // A conflict is not told; a second lock that can be deleted shows that it is over.
    String other = newKey();
    store("locks", other, lockFields(other, LockId.random(), FENCE, Duration.ofSeconds(-3)));
    eventually(
        () -> {
          isLocked(cleaning, other);
          assertThat(stored("locks", other)).isNull();
        });
    assertThat(stored("locks", key)).containsEntry("lockId", next.value());
  }

  @Test
  void withoutTheOptionNothingIsDeleted() throws Exception {
    String old = newKey();
    storeExpired(key, Duration.ofDays(1));
    storeExpired(old, Duration.ofDays(1));
    assertThat(isLocked(store, key)).isFalse();
    isLocked(cleaning, old);
    eventually(() -> assertThat(stored("locks", old)).isNull());
    assertThat(stored("locks", key)).isNotNull();
  }

  @Test
  void lookUpsDeleteNothing() throws Exception {
    String old = newKey();
    storeExpired(key, Duration.ofDays(1));
    storeExpired(old, Duration.ofDays(1));
    assertThat(ask(cleaning, new LockOperation.FindByKey(ResourceKey.of(key)))).isEmpty();
    isLocked(cleaning, old);
    eventually(() -> assertThat(stored("locks", old)).isNull());
    assertThat(stored("locks", key)).isNotNull();
  }
}
