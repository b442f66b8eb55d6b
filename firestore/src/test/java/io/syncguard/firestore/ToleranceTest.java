package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tolerance, to the millisecond: the clock stands still. */
class ToleranceTest extends OnFirestore {

  private static final Duration LAST_LIVE = Duration.ofMillis(-999);
  private static final Duration DEAD = Duration.ofSeconds(-1);

  private String key;
  private LockId lockId;

  @BeforeEach
  void choose() {
    key = newKey();
    lockId = LockId.random();
  }

  private void storeLock(Duration expiresIn) throws Exception {
    store("locks", key, lockFields(key, lockId, "000000000000001", expiresIn));
  }

  private ResourceKey resource() {
    return ResourceKey.of(key);
  }

  private LockReference reference() {
    return new LockReference(lockId, null);
  }

  @Test
  void aLockThatExpired999MillisecondsAgoIsHeld() throws Exception {
    storeLock(LAST_LIVE);
    assertThat(acquire(key, LockId.random())).isEqualTo(new Held(Duration.ofMillis(1)));
    assertThat(ask(store, new LockOperation.IsLocked(resource()))).isTrue();
    assertThat(ask(store, new LockOperation.FindByKey(resource()))).isPresent();
    assertThat(ask(store, new LockOperation.FindById(lockId))).isPresent();
    assertThat(ask(store, new LockOperation.Extend(reference(), TTL)).isExtended()).isTrue();
    storeLock(LAST_LIVE);
    assertThat(ask(store, new LockOperation.Release(reference())))
        .isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aLockThatExpired1000MillisecondsAgoIsNot() throws Exception {
    storeLock(DEAD);
    assertThat(ask(store, new LockOperation.IsLocked(resource()))).isFalse();
    assertThat(ask(store, new LockOperation.FindByKey(resource()))).isEmpty();
    assertThat(ask(store, new LockOperation.FindById(lockId))).isEmpty();
    assertThat(ask(store, new LockOperation.Extend(reference(), TTL)))
        .isEqualTo(NotExtended.EXPIRED);
    assertThat(ask(store, new LockOperation.Release(reference()))).isEqualTo(ReleaseResult.EXPIRED);
    storeLock(DEAD);
    assertThat(acquire(key, LockId.random())).isInstanceOf(Granted.class);
  }
}
