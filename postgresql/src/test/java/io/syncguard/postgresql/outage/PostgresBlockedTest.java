package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another client has SyncGuard's tables locked. */
class PostgresBlockedTest extends OnPostgres {

  private static final String KEY = "k";

  private Connection lockTables() throws Exception {
    Connection blocking = sql.begin();
    Sql.rowsOn(blocking, "LOCK TABLE syncguard_locks, syncguard_fence_counters");
    return blocking;
  }

  private void assertNothingIsHeld() {
    assertThat(sql.number("SELECT count(*) FROM syncguard_locks")).isZero();
    assertThat(sql.number("SELECT count(*) FROM syncguard_fence_counters")).isZero();
    assertThat(sql.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")).isZero();
  }

  @Test
  void anAttemptTimesOutAndIsKnownToHaveDoneNothing() throws Exception {
    try (SyncGuard guard = SyncGuard.open(database.uri() + "?timeout=1s")) {
      assertThat(guard.locks().isLocked(KEY)).isFalse();
      try (Connection blocking = lockTables()) {
        SyncGuardException failure =
            assertFails(Code.NETWORK_TIMEOUT, () -> guard.locks().tryLock(KEY, TTL));
        assertThat(failure.isOutcomeUnknown()).isFalse();
        assertThat(failure).hasMessageContaining("locked");
        blocking.rollback();
      }
      assertNothingIsHeld();
      assertThat(guard.locks().tryLock(KEY, TTL).isAcquired()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cancellingEndsAnAttemptWithoutWaitingForIt(boolean async) throws Exception {
    try (SyncGuard guard = SyncGuard.open(database.uri() + "?timeout=10m");
        Connection blocking = lockTables()) {
      CancelSignal signal = CancelSignal.create();
      CompletableFuture<AcquireResult> acquiring =
          async
              ? guard.locks().cancelledBy(signal).async().tryLock(KEY, TTL).toCompletableFuture()
              : inBackground(() -> guard.locks().cancelledBy(signal).tryLock(KEY, TTL));
      awaitBlocked(1);
      signal.cancel();
      assertFails(Code.ABORTED, () -> join(acquiring));
      blocking.rollback();
      assertNothingIsHeld();
      assertThat(guard.locks().tryLock(KEY, TTL).isAcquired()).isTrue();
    }
  }

  @Test
  void cancellingEndsAWaitThatIsBlocked() throws Exception {
    try (SyncGuard guard = SyncGuard.open(database.uri() + "?timeout=10m");
        Connection blocking = lockTables()) {
      CancelSignal signal = CancelSignal.create();
      CompletableFuture<LockHandle> waiting =
          inBackground(() -> guard.locks().cancelledBy(signal).lock(KEY, LockOptions.defaults()));
      awaitBlocked(1);
      signal.cancel();
      assertFails(Code.ABORTED, () -> join(waiting));
      blocking.rollback();
      assertNothingIsHeld();
    }
  }
}
