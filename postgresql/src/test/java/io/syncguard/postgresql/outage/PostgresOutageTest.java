package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.WayToWait;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that stands still for a while, or dies and comes back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresOutageTest {

  private static final String KEY = "k";

  private final PostgresServer server =
      PostgresServer.builder().version(18).setting("wal_writer_delay", "10s").start();
  private SyncGuard guard;
  private Locks locks;

  @BeforeEach
  void open() {
    PostgresStore store = PostgresStore.connect(server.address().uri() + "?timeout=300ms");
    store.setupSchema();
    Sql.on(server.address())
        .execute(
            "TRUNCATE syncguard_locks, syncguard_fence_counters, syncguard_queues,"
                + " syncguard_waiters, syncguard_processes");
    guard = SyncGuard.over(store, GuardOptions.defaults().withKeepOnClose());
    locks = guard.locks();
  }

  @AfterEach
  void close() {
    guard.close();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void assertFailsForNow(Runnable operation) {
    assertThatThrownBy(operation::run)
        .isInstanceOfSatisfying(
            SyncGuardException.class, e -> assertThat(e.isTransient()).as(e.toString()).isTrue());
  }

  @Test
  void anAttemptOnAPausedServerFailsAndNothingStaysLocked() throws Exception {
    take(locks, KEY, WayToWait.HOUR).release();
    server.pause();
    assertFailsForNow(() -> locks.tryLock(KEY, WayToWait.HOUR));
    assertFailsForNow(() -> locks.isLocked(KEY));
    server.resume();
    eventually(() -> assertThat(locks.isLocked(KEY)).isFalse());
    eventually(() -> assertThat(locks.tryLock(KEY, WayToWait.HOUR).isAcquired()).isTrue());
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterGetsTheLockWhenAPausedServerGoesOn(WayToWait way) throws Exception {
    server.pause();
    CompletableFuture<LockHandle> waiting = way.waitFor(locks, KEY, WayToWait.PERSISTENT);
    assertFailsForNow(() -> locks.isLocked(KEY));
    server.resume();
    LockHandle lock = WayToWait.got(waiting);
    assertThat(locks.owns(lock.lockId())).isTrue();
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void whatWasAcquiredAndExtendedSurvivesACrash() throws Exception {
    for (int crash = 0; crash < 2; crash++) {
      String key = KEY + crash;
      List<LockHandle> released = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        LockHandle lock = locks.lock(key, WayToWait.PERSISTENT);
        released.add(lock);
        lock.release();
      }
      LockHandle extended = take(locks, key + " extended", OnPostgres.TTL);
      LockHandle held;
      // What comes last is flushed by nothing that comes after it.
      if (crash % 2 == 0) {
        extended.extend(WayToWait.HOUR);
        held = take(locks, key, WayToWait.HOUR);
      } else {
        held = take(locks, key, WayToWait.HOUR);
        extended.extend(WayToWait.HOUR);
      }

      server.kill();
      server.restart();

      eventually(() -> assertThat(locks.owns(held.lockId())).isTrue());
      assertThat(locks.getByKey(key + " extended").orElseThrow().expiresAt())
          .isEqualTo(extended.expiresAt());
      assertThat(locks.tryLock(key, WayToWait.HOUR).isAcquired()).isFalse();
      assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(locks.lock(key, WayToWait.PERSISTENT).fence().toLong())
          .isEqualTo(released.size() + 2);
    }
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aWaiterGetsTheLockAfterACrashAlthoughTheServerForgotIt(WayToWait way) throws Exception {
    LockHandle held = take(locks, KEY, WayToWait.HOUR);
    try (SyncGuard other = SyncGuard.open(server.address().uri())) {
      CompletableFuture<LockHandle> waiting = way.waitFor(other.locks(), KEY, WayToWait.PERSISTENT);
      Sql sql = Sql.on(server.address());
      eventually(
          () -> assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isEqualTo(1));
      server.kill();
      server.restart();
      assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(WayToWait.got(waiting).fence().isNewerThan(held.fence())).isTrue();
    }
  }
}
