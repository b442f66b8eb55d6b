package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisOptions.Fences;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that dies and comes back, with what it knew or without. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestartOutageTest {

  private static final String KEY = "k";

  private static SyncGuard open(RedisServer server, Fences fences) {
    return SyncGuard.over(
        RedisStore.connect(server.uri(), RedisOptions.defaults().withFences(fences)));
  }

  private static void killAndRestart(RedisServer server) {
    server.kill();
    server.restart();
  }

  @Test
  void withAnAppendOnlyFileTheLockIsStillHeldAndFencesGoOn() throws Exception {
    try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
        SyncGuard guard = open(server, Fences.COUNTED)) {
      Locks locks = guard.locks();
      take(locks, KEY, WayToWait.HOUR).release();
      LockHandle lock = take(locks, KEY, WayToWait.HOUR);

      killAndRestart(server);

      eventually(() -> assertThat(locks.owns(lock.lockId())).isTrue());
      assertThat(locks.tryLock(KEY, WayToWait.HOUR).isAcquired()).isFalse();
      assertThat(lock.extend(WayToWait.HOUR).isExtended()).isTrue();
      assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(take(locks, KEY, WayToWait.HOUR).fence().toLong()).isEqualTo(3);
    }
  }

  @Test
  void withoutPersistenceCountedFencesBeginAgain() throws Exception {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = open(server, Fences.COUNTED)) {
      Locks locks = guard.locks();
      take(locks, KEY, WayToWait.HOUR).release();
      assertThat(take(locks, KEY, WayToWait.HOUR).fence().toLong()).isEqualTo(2);

      killAndRestart(server);

      assertThat(locks.lock(KEY, WayToWait.PERSISTENT).fence().toLong()).isEqualTo(1);
    }
  }

  @Test
  void withoutPersistenceFencesThatSurviveDataLossGoOn() throws Exception {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = open(server, Fences.SURVIVE_DATA_LOSS)) {
      LockHandle before = take(guard.locks(), KEY, WayToWait.HOUR);

      killAndRestart(server);

      LockHandle after = guard.locks().lock(KEY, WayToWait.PERSISTENT);
      assertThat(after.fence().isNewerThan(before.fence())).isTrue();
    }
  }

  /**
   * What is killed with requests unread resets its connections, where an orderly end closes them.
   */
  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void anAcquisitionWhoseConnectionIsResetGoesOn(WayToWait waiter) throws Exception {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = open(server, Fences.COUNTED)) {
      server.pause();
      CompletableFuture<LockHandle> waiting =
          waiter.waitFor(guard.locks(), KEY, WayToWait.PERSISTENT);
      CompletionStage<Boolean> asked = guard.locks().async().isLocked(KEY);

      killAndRestart(server);

      assertFails(Code.SERVICE_UNAVAILABLE, () -> join(asked));
      assertThat(WayToWait.got(waiting).fence().toLong()).isEqualTo(1);
    }
  }

  @Test
  void aHolderWhoseLockTheServerForgotIsTold() throws Exception {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = open(server, Fences.COUNTED)) {
      AtomicBoolean lost = new AtomicBoolean();
      LockHandle lock = take(guard.locks(), KEY, WayToWait.HOUR).onLost(() -> lost.set(true));

      killAndRestart(server);

      eventually(() -> assertThat(lock.extend(WayToWait.HOUR)).isEqualTo(NotExtended.NOT_FOUND));
      eventually(() -> assertThat(lost).isTrue());
      assertThat(lock.isHeld()).isFalse();
    }
  }
}
