package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;
import java.util.Map;
import javax.sql.DataSource;

/** SyncGuard on PostgreSQL, 15 or newer. Thread-safe; one is enough for an application. */
public final class PostgresStore implements Store {

  private static final int THREADS_OVER_A_DATA_SOURCE = 10;

  private final PostgresRunner runner;
  private final ScriptFiles files;
  private final Waiting waiting;
  private final Workers workers;
  private final Sweeper sweeper;
  private final SqlLocks locks;

  private PostgresStore(
      PostgresRunner runner, PostgresOptions options, int threads, TimeSource time) {
    this.runner = runner;
    this.files = scriptFiles(options);
    this.waiting = options.listening().<Waiting>map(PostgresListener::new).orElse(Waiting.POLLING);
    this.workers = new Workers("syncguard-postgres", threads);
    LockScripts scripts = LockScripts.from(files);
    ScriptRunner checked = new PostgresCheck(runner, files.read("check"));
    this.sweeper = new Sweeper(checked, scripts.sweep(), time, workers);
    this.locks = new SqlLocks(checked, scripts, waiting, sweeper, workers);
  }

  /** Blocks while it connects; see {@link #connect(String, PostgresOptions)}. */
  public static PostgresStore connect(String uri) {
    return connect(uri, PostgresOptions.defaults());
  }

  /**
   * Blocks while it connects. The URI is like {@code postgresql://user:password@host:5432/database}
   * and its parameters are those of the driver and ours: {@code locksTable}, {@code fencesTable},
   * {@code waitersTable}, {@code timeout}, {@code poolSize} and {@code waiting}, which is {@code
   * notify} or {@code poll}. They prevail over the options.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT for a bad URI, AUTH_FAILED or
   *     SERVICE_UNAVAILABLE if PostgreSQL cannot be used
   */
  public static PostgresStore connect(String uri, PostgresOptions options) {
    return connect(uri, options, TimeSource.system());
  }

  static PostgresStore connect(String uri, PostgresOptions options, TimeSource time) {
    PostgresUri parsed = PostgresUri.parse(uri, options);
    PostgresPool pool = PostgresPool.open(parsed);
    return new PostgresStore(
        new PostgresRunner(pool.connections(), parsed.options().timeout(), pool::close),
        parsed.options(),
        parsed.poolSize(),
        time);
  }

  /**
   * Returns at once a store over connections that the caller has, and that stay open when the store
   * is closed. Each operation takes one for a moment, in autocommit; a pool of one will do.
   */
  public static PostgresStore over(DataSource connections, PostgresOptions options) {
    return new PostgresStore(
        new PostgresRunner(connections, options.timeout(), () -> {}),
        options,
        THREADS_OVER_A_DATA_SOURCE,
        TimeSource.system());
  }

  /**
   * Blocks while the tables are created that are not there yet. Several processes may do so at the
   * same time. A later version of this library adds what it needs when this is called again.
   *
   * @throws SyncGuardException with code AUTH_FAILED if the user may not create tables
   */
  public void setupSchema() {
    runner.run(
        ScriptRunner.Effect.WRITE,
        files.readWhole("setup"),
        Map.of(),
        Call.of(null, null, CancelSignal.never()),
        row -> row);
  }

  private static ScriptFiles scriptFiles(PostgresOptions options) {
    return new ScriptFiles(
        "postgresql",
        Map.of(
            "locks", quoted(options.locksTable()),
            "fences", quoted(options.fencesTable()),
            "waiters", quoted(options.waitersTable()),
            "expires_index", quoted(options.expiresIndex()),
            "acquire", quoted(options.locksTable() + "_acquire_1"),
            "release", quoted(options.locksTable() + "_release_1"),
            "extend", quoted(options.locksTable() + "_extend_1"),
            "now_ms", "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"));
  }

  private static String quoted(String plainIdentifier) {
    return '"' + plainIdentifier + '"';
  }

  Sweeper sweeper() {
    return sweeper;
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public void close() {
    waiting.close();
    workers.close();
    runner.close();
  }
}
