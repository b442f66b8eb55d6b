package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt.Granted;
import io.syncguard.spi.AcquireAttempt.Held;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
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
    assertThat(locks.isLocked(resource(), NEVER)).isTrue();
    assertThat(locks.lookup(resource(), NEVER)).isPresent();
    assertThat(locks.lookup(lockId, NEVER)).isPresent();
    assertThat(locks.extend(reference(), TTL, NEVER).isExtended()).isTrue();
    storeLock(LAST_LIVE);
    assertThat(locks.release(reference(), TTL)).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aLockThatExpired1000MillisecondsAgoIsNot() throws Exception {
    storeLock(DEAD);
    assertThat(locks.isLocked(resource(), NEVER)).isFalse();
    assertThat(locks.lookup(resource(), NEVER)).isEmpty();
    assertThat(locks.lookup(lockId, NEVER)).isEmpty();
    assertThat(locks.extend(reference(), TTL, NEVER)).isEqualTo(NotExtended.EXPIRED);
    assertThat(locks.release(reference(), TTL)).isEqualTo(ReleaseResult.EXPIRED);
    storeLock(DEAD);
    assertThat(acquire(key, LockId.random())).isInstanceOf(Granted.class);
  }
}
