package io.syncguard.redis.lock;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.RedisContents;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What Redis keeps of a lock that has expired, and what it answers to each client. */
class RedisExpiryTest extends OnOneRedis {

  /** Expired for less than the tolerance, with room for a slow test. */
  private static final long JUST_NOW_MS = 10;

  private static final long LATE_MS = 1500;

  private final ForeignLock expired = ForeignLock.on("k");

  @Test
  void bothKeysOutliveTheLockByFiveSeconds() {
    LockHandle lock = take(locks, "k", TTL);
    String indexKey = "syncguard:id:" + lock.lockId().value();
    assertBothOutlive(lock.expiresAt(), "syncguard:k", indexKey);

    Extended byHandle = (Extended) lock.extend(Duration.ofMinutes(5));
    assertBothOutlive(byHandle.expiresAt(), "syncguard:k", indexKey);

    Extended byLockId = (Extended) locks.extend(lock.lockId(), Duration.ofSeconds(20));
    assertBothOutlive(byLockId.expiresAt(), "syncguard:k", indexKey);
    assertThat(byLockId.expiresAt()).isBefore(byHandle.expiresAt());
  }

  @Test
  void aLateReleaseIsToldThatTheLockHadExpired() {
    expired.storeExpired(contents, LATE_MS);
    assertThat(release(expired.lockId())).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(contents.values()).isEqualTo(Map.of(expired.fenceKey(), "7"));

    expired.storeExpired(contents, LATE_MS);
    assertThat(release("k", expired.lockId())).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(contents.values()).isEqualTo(Map.of(expired.fenceKey(), "7"));
    assertThat(release("k", expired.lockId())).isEqualTo(ReleaseResult.NOT_FOUND);
  }

  @Test
  void aLateExtensionIsToldSoAndBringsNothingBack() {
    expired.storeExpired(contents, LATE_MS);
    Map<String, RedisContents.Entry> before = contents.all();
    assertThat(extend(null)).isEqualTo(NotExtended.EXPIRED);
    assertThat(extend("k")).isEqualTo(NotExtended.EXPIRED);
    assertThat(contents.all()).isEqualTo(before);
  }

  @Test
  void withinTheToleranceTheLockIsStillItsHolders() {
    expired.storeExpired(contents, JUST_NOW_MS);
    assertThat(acquire(store, "k", LockId.random())).isInstanceOf(Held.class);
    assertThat(ask(store, new LockOperation.IsLocked(expired.resource()))).isTrue();
    assertThat(extend("k")).isInstanceOf(Extended.class);

    expired.storeExpired(contents, JUST_NOW_MS);
    assertThat(extend(null)).isInstanceOf(Extended.class);

    expired.storeExpired(contents, JUST_NOW_MS);
    assertThat(release("k", expired.lockId())).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void noOperationSeesAnExpiredLock() {
    expired.storeExpired(contents, LATE_MS);
    Map<String, RedisContents.Entry> before = contents.all();
    assertThat(ask(store, new LockOperation.IsLocked(expired.resource()))).isFalse();
    assertThat(ask(store, new LockOperation.FindByKey(expired.resource()))).isEmpty();
    assertThat(ask(store, new LockOperation.FindById(expired.lockId()))).isEmpty();
    assertThat(contents.all()).isEqualTo(before);
  }

  @Test
  void takingAnExpiredLockDeletesTheIndexOfItsLastHolder() {
    expired.storeExpired(contents, LATE_MS);
    LockId next = LockId.random();
    Granted granted = (Granted) acquire(store, "k", next);
    assertThat(granted.fence()).hasToString("000000000000008");
    assertThat(contents.values())
        .containsOnlyKeys(expired.lockKey(), expired.fenceKey(), "syncguard:id:" + next.value());
    assertThat(ask(store, new LockOperation.FindById(next))).isPresent();
  }

  @Test
  void aLateReleaseDoesNotFreeTheNextHoldersLock() {
    LockId next = LockId.random();
    acquire(store, "k", next);
    Map<String, RedisContents.Entry> before = contents.all();

    for (boolean keyIsKnown : new boolean[] {true, false}) {
      contents.put(expired.indexKey(), expired.lockKey(), RedisContents.NEVER);
      assertThat(keyIsKnown ? release("k", expired.lockId()) : release(expired.lockId()))
          .isEqualTo(ReleaseResult.NOT_FOUND);
      assertThat(contents.all()).as("the stale index is gone, no more").isEqualTo(before);

      contents.put(expired.indexKey(), expired.lockKey(), RedisContents.NEVER);
      assertThat(ask(store, new LockOperation.FindById(expired.lockId()))).isEmpty();
      assertThat(extend(keyIsKnown ? "k" : null)).isEqualTo(NotExtended.NOT_FOUND);
      assertThat(contents.all()).isEqualTo(before);
    }
  }

  @Test
  void aPlainDeletionByAnotherClientFreesTheLock() {
    LockHandle lock = take(locks, "k", TTL);
    server.command("DEL", "syncguard:k", "syncguard:id:" + lock.lockId().value());

    assertThat(locks.isLocked("k")).isFalse();
    assertThat(lock.release()).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(locks.release(lock.lockId())).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(take(locks, "k", TTL).fence()).isGreaterThan(lock.fence());
  }

  private Object extend(String key) {
    LockReference lock =
        new LockReference(expired.lockId(), key == null ? null : expired.resource());
    return ask(store, new LockOperation.Extend(lock, TTL));
  }
}
