package io.syncguard.postgresql;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.jdbc.script.SqlScript.Effect;
import io.syncguard.lock.LockId;
import io.syncguard.spi.Operation;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.sql.BareLocks;
import io.syncguard.testkit.sql.Sql;
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

/** A new database with SyncGuard's tables, a store on it, and a look at it from outside. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class OnPostgres {

  public static final Duration TTL = BareLocks.TTL;
  public static final CancelSignal NEVER = BareLocks.NEVER;

  /** What the statements of the tests call the time of the server. */
  public static final String NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  private static final int NEWEST = 18;

  protected final PostgresDatabase database;
  protected final Sql sql;
  protected final PostgresStore store;
  protected final LockBackend locks;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  protected OnPostgres() {
    this(NEWEST);
  }

  protected OnPostgres(int version) {
    this.database = PostgresDatabase.create(version);
    this.sql = Sql.on(database);
    this.store = PostgresStore.connect(database.uri());
    this.locks = store.locks();
    store.setupSchema();
  }

  @BeforeEach
  protected void emptyTheTables() {
    sql.execute("TRUNCATE syncguard_locks, syncguard_fence_counters");
    sql.execute("TRUNCATE syncguard_queues, syncguard_waiters, syncguard_processes");
    sql.execute("TRUNCATE syncguard_semaphores, syncguard_permits");
  }

  @AfterAll
  void stop() {
    threads.shutdownNow();
    store.close();
    database.close();
  }

  protected AcquireAttempt acquire(String key, LockId lockId) {
    return acquire(locks, key, lockId);
  }

  public static AcquireAttempt acquire(LockBackend by, String key, LockId lockId) {
    return BareLocks.acquire(by, key, lockId);
  }

  /** Puts an operation to the store and returns the answer. */
  protected <A> A ask(Operation<A> operation) {
    return StoreSuite.ask(store, operation);
  }

  /** Sweeps until nothing is left; returns how much was. */
  public long sweep() {
    return store.sweeper().sweep();
  }

  /** Keeps the store from sweeping with its next write, as if it had just looked. */
  protected static void putOffSweeping(PostgresStore other) {
    other.sweeper().opening();
  }

  protected <T> CompletableFuture<T> inBackground(Supplier<T> action) {
    return CompletableFuture.supplyAsync(action, threads);
  }

  /** Stores a lock as another client, which expires so long from now, or expired so long ago. */
  protected void storeLock(String key, String lockId, String fence, Duration expiresIn) {
    sql.execute(
        "INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
            + (" SELECT ?, ?, now + ?, now - 600000, ?, ? FROM (SELECT " + NOW + " AS now) clock"),
        key,
        lockId,
        expiresIn.toMillis(),
        fence,
        key);
  }

  /** Blocks until so many statements of the store's wait for another session's lock. */
  protected void awaitBlocked(int statements) throws InterruptedException {
    eventually(() -> assertThat(blocked()).isEqualTo(statements));
  }

  /** Blocks until the statement of this future waits for another session's lock or is over. */
  protected void awaitBlockedOrDone(CompletableFuture<?> statement) throws InterruptedException {
    eventually(() -> assertThat(statement.isDone() || blocked() == 1).isTrue());
  }

  private long blocked() {
    return sql.number(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND application_name = 'syncguard' AND wait_event_type = 'Lock'");
  }

  /**
   * Returns how PostgreSQL would run a script's statement if it could avoid reading whole tables.
   */
  protected final String planOf(String script, Object... arguments) throws SQLException {
    String statement =
        PostgresStore.files(PostgresTables.DEFAULTS)
            .read(script, Effect.READ)
            .statements()
            .get(0)
            .sql();
    try (Connection connection = sql.begin()) {
      Sql.rowsOn(connection, "SET enable_seqscan = off");
      return Sql.rowsOn(connection, "EXPLAIN " + statement, arguments).toString();
    }
  }
}
