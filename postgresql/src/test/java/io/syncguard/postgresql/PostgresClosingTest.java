package io.syncguard.postgresql;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.testkit.lock.LockSuite;
import io.syncguard.testkit.sql.WayToWait;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a store leaves behind when it is closed, and what it says then. */
class PostgresClosingTest extends OnPostgres {

  private static final String KEY = "k";

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("syncguard-postgres"))
        .collect(Collectors.toSet());
  }

  /** With the one that listens, and the threads that sweep and watch. */
  private void use(SyncGuard guard) throws Exception {
    LockHandle held = take(guard.locks(), KEY, TTL);
    CompletableFuture<LockHandle> waiting =
        WayToWait.ASYNC.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    eventually(() -> assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isOne());
    held.release();
    WayToWait.got(waiting).release();
  }

  @Test
  void anInterruptedThreadClosesEverythingAndStaysInterrupted() throws Exception {
    Set<Thread> before = threads();
    PostgresStore closing = PostgresStore.connect(database.uri());
    use(SyncGuard.over(closing));
    Thread.currentThread().interrupt();
    closing.close();
    assertThat(Thread.interrupted()).isTrue();
    eventually(() -> assertThat(threads()).isSubsetOf(before));
    closing.close();
  }

  @Test
  void aClosedStoreSaysThatToTryAgainDoesNotHelp() {
    PostgresStore closed = PostgresStore.connect(database.uri());
    closed.close();
    assertIsClosed(closed);
  }

  @Test
  void aClosedStoreOverADataSourceSaysSoToo() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.address().jdbcUrl());
    config.setUsername(database.address().user());
    config.setPassword(database.address().password());
    try (HikariDataSource pool = new HikariDataSource(config)) {
      PostgresStore closed = PostgresStore.over(pool, PostgresOptions.defaults());
      closed.close();
      assertIsClosed(closed);
    }
  }

  private static void assertIsClosed(PostgresStore closed) {
    SyncGuardException failure =
        assertFails(Code.SERVICE_UNAVAILABLE, () -> acquire(closed.locks(), KEY, LockId.random()));
    assertIsForGood(failure);
    assertIsForGood(
        assertFails(
            Code.SERVICE_UNAVAILABLE,
            () -> LockSuite.join(SyncGuard.over(closed).locks().async().isLocked(KEY))));
  }

  private static void assertIsForGood(SyncGuardException failure) {
    assertThat(failure).hasMessageContaining("closed");
    assertThat(failure.isTransient()).isFalse();
    assertThat(failure.isOutcomeUnknown()).isFalse();
  }
}
