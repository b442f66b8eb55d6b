package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that stands still for a while, with its connections open. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PausedServerOutageTest {

  private static final String KEY = "k";
  private static final RedisOptions IMPATIENT =
      RedisOptions.defaults().withCommandTimeout(Duration.ofMillis(200));

  private final RedisServer server = RedisServer.start();
  private final SyncGuard guard =
      SyncGuard.over(
          RedisStore.connect(server.uri(), IMPATIENT),
          GuardOptions.defaults().withKeepOnClose().withDisposeTimeout(Duration.ofMillis(500)));
  private final Locks locks = guard.locks();

  @AfterEach
  void stop() {
    guard.close();
    server.close();
  }

  @Test
  void anAttemptTimesOutAndNothingStaysLocked() throws Exception {
    // A script that the server does not know is not sent again for a caller that has given up.
    take(locks, KEY, WayToWait.HOUR).release();
    server.pause();
    SyncGuardException failure =
        assertFails(Code.NETWORK_TIMEOUT, () -> locks.tryLock(KEY, WayToWait.HOUR));
    assertThat(failure.isOutcomeUnknown()).isTrue();
    server.resume();
    // The attempt is carried out only now; its fence tells that it was.
    eventually(
        () -> assertThat(server.command("GET", "syncguard:fence:syncguard:k")).isEqualTo("2"));
    eventually(() -> assertThat(locks.isLocked(KEY)).isFalse());
    assertThat(take(locks, KEY, WayToWait.HOUR).fence().toLong()).isEqualTo(3);
  }

  @Test
  void aContinuationThatBlocksStopsNeitherTimeOutsNorLossesNorOtherGuards() throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    CountDownLatch otherLost = new CountDownLatch(1);
    try (SyncGuard other = SyncGuard.open("memory:");
        LockHandle extended = take(other.locks(), KEY, Duration.ofSeconds(2))) {
      extended.autoExtend(WayToWait.HOUR).onLost(otherLost::countDown);
      take(locks, "short", Duration.ofSeconds(1)).onLost(lost::countDown);
      server.pause();
      CompletionStage<Boolean> asked = locks.async().isLocked(KEY);
      asked.whenComplete(
          (locked, failure) -> {
            blocked.countDown();
            awaitQuietly(mayGoOn);
          });
      assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
      assertFailsInPassing(() -> locks.isLocked(KEY));
      assertThat(otherLost.await(3, TimeUnit.SECONDS)).isFalse();
      assertThat(extended.isHeld()).isTrue();
    } finally {
      mayGoOn.countDown();
      server.resume();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void closingWithALockInHandEndsInTimeAndTellsItsHolder() {
    SyncGuard closing =
        SyncGuard.over(
            RedisStore.connect(server.uri(), IMPATIENT),
            GuardOptions.defaults()
                .withCloseTimeout(Duration.ofMillis(200))
                .withDisposeTimeout(Duration.ofMillis(300)));
    LockHandle held = take(closing.locks(), KEY, WayToWait.HOUR);
    server.pause();
    long before = System.nanoTime();
    closing.close();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
    assertThat(held.isHeld()).isFalse();
    server.resume();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterGetsTheLockWhenTheServerGoesOn(WayToWait waiter) throws Exception {
    server.pause();
    CompletableFuture<LockHandle> waiting = waiter.waitFor(locks, KEY, WayToWait.PERSISTENT);
    assertFailsInPassing(() -> locks.isLocked(KEY));
    server.resume();
    LockHandle lock = WayToWait.got(waiting);
    assertThat(lock.fence().toLong()).isEqualTo(1);
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aReleaseThatWasGivenUpIsMadeGoodWhenTheServerGoesOn() throws Exception {
    LockHandle lock = take(locks, KEY, WayToWait.HOUR);
    server.pause();
    assertFailsInPassing(lock::release);
    server.resume();
    eventually(() -> assertThat(locks.isLocked(KEY)).isFalse());
  }

  /** It does not answer in time, or its connection has been left for that. */
  private static void assertFailsInPassing(ThrowingCallable action) {
    assertThatExceptionOfType(SyncGuardException.class)
        .isThrownBy(action)
        .matches(SyncGuardException::isTransient);
  }

  @Test
  void aReleaseTakesNoLongerThanItMayHoweverLongACommandMay() throws Exception {
    try (SyncGuard patient =
        SyncGuard.over(
            RedisStore.connect(
                server.uri(), RedisOptions.defaults().withCommandTimeout(WayToWait.HOUR)),
            GuardOptions.defaults().withDisposeTimeout(Duration.ofMillis(100)))) {
      LockHandle lock = take(patient.locks(), KEY, WayToWait.HOUR);
      server.pause();
      SyncGuardException failure = assertFails(Code.NETWORK_TIMEOUT, lock::release);
      assertThat(failure.isOutcomeUnknown()).isTrue();
      server.resume();
      eventually(() -> assertThat(locks.isLocked(KEY)).isFalse());
    }
  }

  @Test
  void noConnectionIsLostOverIt() throws Exception {
    LockHandle lock = take(locks, KEY, WayToWait.HOUR);
    Object connections = server.command("CLIENT", "LIST", "TYPE", "normal");
    long before = String.valueOf(connections).lines().filter(l -> l.contains("lettuce")).count();
    server.pause();
    assertFails(Code.NETWORK_TIMEOUT, () -> lock.extend(WayToWait.HOUR));
    server.resume();
    eventually(() -> assertThat(lock.extend(WayToWait.HOUR).isExtended()).isTrue());
    String after = String.valueOf(server.command("CLIENT", "LIST", "TYPE", "normal"));
    assertThat(after.lines().filter(l -> l.contains("lettuce"))).hasSize((int) before);
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }
}
