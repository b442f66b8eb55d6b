package io.syncguard.sql;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.lock.LockId;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.ResourceKey;
import io.syncguard.testkit.server.PostgresDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A database of its own with our tables, a store on it, and a look at it from outside. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class OnPostgres {

  static final Duration TTL = Duration.ofMinutes(5);
  static final CancelSignal NEVER = CancelSignal.never();

  /** What the statements of the tests call the time of the server. */
  static final String NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  final PostgresDatabase database = PostgresDatabase.create(18);
  final Sql sql = Sql.on(database);
  final PostgresStore store = PostgresStore.connect(database.uri());
  final LockBackend locks = store.locks();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  OnPostgres() {
    store.setupSchema();
  }

  @BeforeEach
  void emptyTheTables() {
    sql.execute("TRUNCATE syncguard_locks, syncguard_fence_counters, syncguard_waiters");
    sql.execute("TRUNCATE syncguard_semaphores, syncguard_permits");
  }

  @AfterAll
  void stop() {
    threads.shutdownNow();
    store.close();
    database.close();
  }

  AcquireAttempt acquire(String key, LockId lockId) {
    return acquire(locks, key, lockId);
  }

  static AcquireAttempt acquire(LockBackend by, String key, LockId lockId) {
    return by.acquire(new AcquireRequest(ResourceKey.of(key), lockId, TTL, false), NEVER);
  }

  <T> CompletableFuture<T> inBackground(Supplier<T> action) {
    return CompletableFuture.supplyAsync(action, threads);
  }

  /** Stores a lock as somebody else, which expires so long from now, or expired so long ago. */
  void storeLock(String key, String lockId, String fence, Duration expiresIn) {
    sql.execute(
        "INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
            + (" SELECT ?, ?, now + ?, now - 600000, ?, ? FROM (SELECT " + NOW + " AS now) clock"),
        key,
        lockId,
        expiresIn.toMillis(),
        fence,
        key);
  }

  /** Blocks until so many of our statements wait for somebody else's lock. */
  void awaitBlocked(int statements) throws InterruptedException {
    eventually(() -> assertThat(blocked()).isEqualTo(statements));
  }

  /** Blocks until the statement of this future either waits for somebody else's lock or is over. */
  void awaitBlockedOrDone(CompletableFuture<?> statement) throws InterruptedException {
    eventually(() -> assertThat(statement.isDone() || blocked() == 1).isTrue());
  }

  private long blocked() {
    return sql.number(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND application_name = 'syncguard' AND wait_event_type = 'Lock'");
  }

  /** How PostgreSQL would run a script's statement if it could help reading whole tables. */
  final String planOf(String script, Object... arguments) throws SQLException {
    String statement =
        new ScriptFiles("postgresql", PostgresTables.DEFAULTS.constants())
            .read(script)
            .statements()
            .get(0)
            .sql();
    try (Connection connection = sql.begin()) {
      Sql.rowsOn(connection, "SET enable_seqscan = off");
      return Sql.rowsOn(connection, "EXPLAIN " + statement, arguments).toString();
    }
  }
}
