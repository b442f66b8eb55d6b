package io.syncguard.redis.fault;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisOptions;
import io.syncguard.redis.RedisOptions.Fences;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.testkit.server.RedisServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that answer but do not write. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedWriteFaultTest {

  private static final String KEY = "k";

  private static SyncGuard open(RedisServer server, Fences fences) {
    return SyncGuard.over(
        RedisStore.connect(server.uri(), RedisOptions.defaults().withFences(fences)));
  }

  @ParameterizedTest
  @EnumSource(Fences.class)
  void aReplicaIsUnavailableForLocks(Fences fences) throws Exception {
    try (RedisServer master = RedisServer.start();
        RedisServer replica =
            RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(master.port()));
        SyncGuard guard = open(replica, fences)) {
      SyncGuardException failure =
          assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().tryLock(KEY, WayToWait.HOUR));
      assertThat(failure).hasMessageContaining("READONLY");
      assertThat(failure.isOutcomeUnknown()).isFalse();
      // By then the connection may be about to be opened anew, in search of the master.
      eventually(() -> assertThat(guard.locks().isLocked(KEY)).isFalse());
      assertThat(master.command("DBSIZE")).isEqualTo(0L);
    }
  }

  @ParameterizedTest
  @EnumSource(Fences.class)
  void aServerOutOfMemoryWritesNothingByHalvesAndStillReleases(Fences fences) {
    try (RedisServer server = RedisServer.start("--maxmemory-policy", "noeviction");
        SyncGuard guard = open(server, fences)) {
      Locks locks = guard.locks();
      LockHandle held = take(locks, "held", WayToWait.HOUR);
      Object keys = server.command("DBSIZE");
      server.command("CONFIG", "SET", "maxmemory", "1");

      SyncGuardException failure =
          assertFails(Code.SERVICE_UNAVAILABLE, () -> locks.tryLock(KEY, WayToWait.HOUR));
      assertThat(failure).hasMessageContaining("OOM");
      assertThat(failure.isOutcomeUnknown()).isFalse();
      assertThat(server.command("DBSIZE")).isEqualTo(keys);
      assertFails(Code.SERVICE_UNAVAILABLE, () -> held.extend(WayToWait.HOUR));
      assertThat(locks.owns(held.lockId())).isTrue();
      assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(locks.isLocked("held")).isFalse();

      server.command("CONFIG", "SET", "maxmemory", "0");
      assertThat(take(locks, KEY, WayToWait.HOUR).release()).isEqualTo(ReleaseResult.RELEASED);
    }
  }
}
