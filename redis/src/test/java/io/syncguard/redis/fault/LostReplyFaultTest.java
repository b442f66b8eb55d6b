package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replies that are lost after the server has done what it was asked for. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostReplyFaultTest {

  private static final String KEY = "k";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final MovableTime time = MovableTime.flowing();
  private final RedisServer server = RedisServer.start();
  private final FaultyProxy proxy = FaultyProxy.forwardingTo("127.0.0.1", server.port());
  private final SyncGuard guard =
      SyncGuard.over(
          RedisStore.connect(
              "redis://127.0.0.1:" + proxy.port(),
              RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(500))),
          GuardOptions.defaults().withKeepOnClose().withTimeSource(time));
  private final SyncGuard other =
      SyncGuard.open(server.uri(), GuardOptions.defaults().withKeepOnClose());
  private final Locks locks = guard.locks();

  @BeforeEach
  void letTheServerLearnTheScripts() {
    LockHandle lock = take(locks, KEY, WayToWait.HOUR);
    lock.extend(WayToWait.HOUR);
    lock.release();
    guard.semaphore(KEY, 1).acquire().release();
  }

  @AfterEach
  void stop() {
    guard.close();
    other.close();
    proxy.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void theHelperGetsTheLockThatItWasGiven(WayToWait waiter) throws Exception {
    proxy.dropReplyTo(RedisScript.ACQUIRE.digest());
    LockHandle lock = WayToWait.got(waiter.waitFor(locks, KEY, WayToWait.PERSISTENT));
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    assertThat(lock.fence().toLong()).isEqualTo(2);
    assertThat(other.locks().getByKeyRaw(KEY).orElseThrow())
        .satisfies(
            stored -> {
              assertThat(stored.lockId()).isEqualTo(lock.lockId());
              assertThat(stored.fence()).isEqualTo(lock.fence());
              assertThat(stored.expiresAt()).isEqualTo(lock.expiresAt());
            });
  }

  @Test
  void aSingleAttemptFailsInDoubtAndLeavesNoLockBehind() throws Exception {
    proxy.dropReplyTo(RedisScript.ACQUIRE.digest());
    assertThat(assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.tryLock(KEY, WayToWait.HOUR)))
        .matches(e -> e.isOutcomeUnknown());
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isFalse());

    proxy.dropReplyTo(RedisScript.ACQUIRE.digest());
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(locks.async().tryLock(KEY, WayToWait.HOUR)));
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isFalse());
    assertThat(proxy.droppedReplies()).isEqualTo(2);
  }

  @Test
  void anAttemptThatIsNotAnsweredInTimeLeavesNoLockBehind() throws Exception {
    proxy.freezeReplies();
    assertThat(assertFails(Code.NETWORK_TIMEOUT, () -> locks.tryLock(KEY, WayToWait.HOUR)))
        .matches(e -> e.isOutcomeUnknown());
    eventually(() -> assertThat(other.locks().isLocked(KEY)).isFalse());
    proxy.heal();
    assertThat(take(locks, KEY, WayToWait.HOUR).release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aWaiterFindsTheSlotThatItWasGrantedThoughTheAnswerThatSaysSoIsLost() throws Exception {
    FairSemaphore semaphore = guard.semaphore("slots", 1);
    Permit held = semaphore.acquire();
    CompletableFuture<Permit> next = semaphore.async().acquire(MINUTE).toCompletableFuture();
    eventually(() -> assertThat(semaphore.stats().waiting()).isEqualTo(1));
    proxy.dropReplyTo(RedisScript.SEMAPHORE_RELEASE.digest());
    assertThat(held.release().isReleased()).isTrue();
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    Permit granted = next.join();
    assertThat(granted.isHeld()).isTrue();
    assertThat(other.semaphore("slots", 1).stats().acquired()).isEqualTo(1);
    assertThat(granted.release().isReleased()).isTrue();
  }

  @Test
  void aReleaseIsAskedForAgainAndHasReleased() {
    LockHandle lock = take(locks, KEY, WayToWait.HOUR);
    proxy.dropReplyTo(RedisScript.RELEASE.digest());
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(other.locks().isLocked(KEY)).isFalse();

    LockHandle second = take(locks, KEY, WayToWait.HOUR);
    proxy.dropReplyTo(RedisScript.RELEASE.digest());
    assertThat(join(second.releaseAsync())).isEqualTo(ReleaseResult.RELEASED);
    assertThat(proxy.droppedReplies()).isEqualTo(2);
  }

  @Test
  void anExtensionInDoubtDoesNotLengthenTheLease() {
    LockHandle lock = take(locks, KEY, MINUTE);
    Instant before = lock.expiresAt();
    proxy.dropReplyTo(RedisScript.EXTEND.digest());
    assertFails(Code.SERVICE_UNAVAILABLE, () -> lock.extend(WayToWait.HOUR));
    assertThat(other.locks().getByKey(KEY).orElseThrow().expiresAt()).isAfter(before);
    assertThat(lock.expiresAt()).isEqualTo(before);
    assertThat(lock.isHeld()).isTrue();
    time.advance(MINUTE);
    assertThat(lock.isHeld()).isFalse();
  }

  @Test
  void anExtensionInDoubtThatMayHaveShortenedTheLeaseDoesSo() {
    LockHandle lock = take(locks, KEY, WayToWait.HOUR);
    proxy.dropReplyTo(RedisScript.EXTEND.digest());
    assertFails(Code.SERVICE_UNAVAILABLE, () -> lock.extend(MINUTE));
    assertThat(lock.isHeld()).isTrue();
    time.advance(MINUTE);
    assertThat(lock.isHeld()).isFalse();
  }
}
