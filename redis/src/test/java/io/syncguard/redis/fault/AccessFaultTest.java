package io.syncguard.redis.fault;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.LogCapture;
import io.syncguard.redis.RedisStore;
import io.syncguard.redis.WayToWait;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.testkit.scan.ScanSuite;
import io.syncguard.testkit.server.RedisServer;
import java.util.concurrent.TimeUnit;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that refuse the store, or parts of it, and a server that is not there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessFaultTest {

  private static final String KEY = "k";

  private RedisServer server;

  @BeforeAll
  void start() {
    server =
        RedisServer.builder()
            .password("right")
            .acl("user elsewhere on >pw ~other:* &* +@all")
            .acl("user reader on >pw %R~* &* +@all")
            .acl("user unscripted on >pw ~* &* +@all -evalsha")
            .acl("user setless on >pw ~* &* +@all -set")
            .acl("user lockonly on >pw ~syncguard:* &* +@all")
            .acl("user uninformed on >pw ~* &* +@all -info")
            .start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String uri(String userInfo) {
    return "redis://" + userInfo + "@127.0.0.1:" + server.port();
  }

  @ParameterizedTest
  @ValueSource(strings = {":wrong-secret", "elsewhere:wrong-secret", "nobody:wrong-secret"})
  void aWrongPasswordIsRefusedOnConnectingAndNotRepeated(String userInfo) {
    SyncGuardException failure =
        assertFails(Code.AUTH_FAILED, () -> RedisStore.connect(uri(userInfo)));
    assertThat(Throwables.getStackTrace(failure)).doesNotContain("wrong-secret");
  }

  @Test
  void aMissingPasswordIsRefusedOnConnecting() {
    assertFails(Code.AUTH_FAILED, () -> RedisStore.connect("redis://127.0.0.1:" + server.port()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"elsewhere", "reader", "unscripted", "setless"})
  void aUserWhoMayNotDoWhatALockTakesIsToldSo(String user) {
    try (SyncGuard guard = SyncGuard.open(uri(user + ":pw"))) {
      SyncGuardException failure =
          assertFails(Code.AUTH_FAILED, () -> guard.locks().tryLock(KEY, WayToWait.HOUR));
      assertThat(failure.isOutcomeUnknown()).isFalse();
      assertThat(failure).hasMessageContaining("NOPERM");
      assertFails(Code.AUTH_FAILED, () -> guard.locks().lock(KEY, WayToWait.PERSISTENT));
    }
    assertThat(server.command("EXISTS", "syncguard:" + KEY)).isEqualTo(0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lockonly", "reader", "unscripted", "setless"})
  void aUserWhoMayNotDoWhatASemaphoreTakesIsToldSo(String user) {
    try (SyncGuard guard = SyncGuard.open(uri(user + ":pw"))) {
      FairSemaphore semaphore = guard.semaphore(KEY, 1);
      SyncGuardException failure = assertFails(Code.AUTH_FAILED, semaphore::tryAcquire);
      assertThat(failure.isOutcomeUnknown()).isFalse();
      assertThat(failure).hasMessageContaining("NOPERM").hasMessageContaining("@sortedset");
      assertFails(Code.AUTH_FAILED, () -> semaphore.acquire(WayToWait.HOUR));
    }
    assertThat(server.command("EXISTS", "adv-sem:semaphore_main:" + KEY)).isEqualTo(0L);
  }

  @Test
  void aUserWhoMayNotReadLocksIsToldSoAndNotThatThereAreNone() {
    try (SyncGuard guard = SyncGuard.open(server.uri());
        RedisStore unscripted = RedisStore.connect(uri("unscripted:pw"))) {
      LockHandle lock = take(guard.locks(), "listed", WayToWait.HOUR);
      assertFails(Code.AUTH_FAILED, () -> ScanSuite.all(unscripted.scanLocks()));
      lock.release();
    }
  }

  @Test
  void aUserWhoMayNotAskForInfoIsServedWithAWarning() {
    try (LogCapture log = new LogCapture();
        SyncGuard guard = SyncGuard.open(uri("uninformed:pw"))) {
      LockHandle lock = take(guard.locks(), "uninformed", WayToWait.HOUR);
      assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(log.warnings()).singleElement().asString().contains("INFO", "noeviction");
    }
  }

  @Test
  void anEvictionPolicyThatCouldLoseLocksIsWarnedOf() {
    try (RedisServer evicting = RedisServer.start("--maxmemory-policy", "allkeys-lru");
        LogCapture log = new LogCapture();
        SyncGuard guard = SyncGuard.open(evicting.uri())) {
      assertThat(guard.locks().isLocked(KEY)).isFalse();
      assertThat(log.warnings()).singleElement().asString().contains("allkeys-lru", "noeviction");
    }
  }

  @Test
  void aServerFitForLocksIsNotWarnedOf() {
    try (LogCapture log = new LogCapture();
        SyncGuard guard = SyncGuard.open(server.uri())) {
      assertThat(guard.locks().isLocked(KEY)).isFalse();
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void aClusterUriForAServerThatIsNoClusterIsRefused() {
    String uri = "redis-cluster://:right@127.0.0.1:" + server.port();
    assertThat(assertFails(Code.INVALID_ARGUMENT, () -> RedisStore.connect(uri)))
        .hasMessageContaining("redis://");
  }

  @Test
  void aServerThatIsNotThereIsUnavailable() {
    try (RedisServer gone = RedisServer.start();
        SyncGuard guard = SyncGuard.open(gone.uri())) {
      gone.stop();
      assertFails(Code.SERVICE_UNAVAILABLE, () -> RedisStore.connect(gone.uri()));
      assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().tryLock(KEY, WayToWait.HOUR));
      assertFails(Code.SERVICE_UNAVAILABLE, () -> guard.locks().isLocked(KEY));
    }
  }
}
