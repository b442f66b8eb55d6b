package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Finding;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.Scan;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SyncGuard on PostgreSQL, 15 or newer. Thread-safe; one is enough for an application. */
public final class PostgresStore implements Store {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("postgresql", true, TimeAuthority.SERVER);

  private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);
  private static final int THREADS_OVER_A_DATA_SOURCE = 10;

  private final PostgresRunner runner;
  private final PostgresCheck check;
  private final ScriptFiles files;
  private final Waiting waiting;
  private final Workers workers;
  private final Sweeper sweeper;
  private final SqlLocks locks;
  private final SqlSemaphores semaphores;
  private final SqlSecrets secrets;
  private final SqlLimits limits;

  private PostgresStore(
      PostgresRunner runner, PostgresOptions options, int threads, TimeSource time) {
    this.runner = runner;
    this.files = new ScriptFiles("postgresql", options.tables().constants());
    this.waiting = options.listening().<Waiting>map(PostgresListener::new).orElse(Waiting.POLLING);
    this.workers = new Workers("syncguard-postgres", threads, options.timeout());
    LockScripts lockScripts = LockScripts.from(files);
    SemaphoreScripts semaphoreScripts = SemaphoreScripts.from(files);
    SecretScripts secretScripts = SecretScripts.from(files);
    LimitScripts limitScripts = LimitScripts.from(files);
    this.check = new PostgresCheck(runner, files.read("check"));
    this.sweeper = new Sweeper(check, SweepScripts.from(files), time, workers);
    SweepingRunner sweeping = new SweepingRunner(check, sweeper);
    this.locks = new SqlLocks(CAPABILITIES, sweeping, lockScripts, waiting, workers);
    this.semaphores = new SqlSemaphores(sweeping, semaphoreScripts, waiting, workers);
    this.secrets = new SqlSecrets(sweeping, secretScripts, workers);
    this.limits = new SqlLimits(sweeping, limitScripts, workers);
  }

  /** Blocks while it connects; see {@link #connect(String, PostgresOptions)}. */
  public static PostgresStore connect(String uri) {
    return connect(uri, PostgresOptions.defaults());
  }

  /**
   * Blocks while it connects. The URI is like {@code postgresql://user:password@host:5432/database}
   * and its parameters are those of the driver and ours: {@code timeout}, {@code poolSize}, {@code
   * waiting}, which is {@code notify} or {@code poll}, and the names of tables, {@code locksTable},
   * {@code fencesTable}, {@code waitersTable}, {@code semaphoresTable}, {@code permitsTable},
   * {@code secretsTable}, {@code payloadsTable}, {@code countersTable} and {@code limitersTable}.
   * They prevail over the options.
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
    PostgresStore store =
        new PostgresStore(
            new PostgresRunner(pool, parsed.options().timeout()),
            parsed.options(),
            parsed.poolSize(),
            time);
    store.sweeper.opening();
    return store;
  }

  /**
   * Returns at once a store over connections that the caller has, and that stay open when the store
   * is closed. Each operation takes one for a moment, in autocommit; a pool of one will do. Waiters
   * poll, which is logged, unless {@link PostgresOptions#withListening} names a source of a
   * connection that listens; it may be the same one if that has a connection to spare.
   */
  public static PostgresStore over(DataSource connections, PostgresOptions options) {
    if (options.listening().isEmpty()) {
      log.info(
          "Waiters poll, and notice a release by another process up to 5 s late; to be told at"
              + " once, name a DataSource with PostgresOptions.withListening");
    }
    return new PostgresStore(
        new PostgresRunner(new LentConnections(connections, options.timeout()), options.timeout()),
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
  @Override
  public void setupSchema() {
    for (String setup : List.of("setup", "semaphore/setup", "secret/setup", "limit/setup")) {
      runner.run(
          ScriptRunner.Effect.WRITE,
          files.readWhole(setup),
          Map.of(),
          Call.of(null, null, CancelSignal.never()),
          row -> row);
    }
  }

  Sweeper sweeper() {
    return sweeper;
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public SemaphoreBackend semaphores() {
    return semaphores;
  }

  @Override
  public SecretBackend secrets() {
    return secrets;
  }

  @Override
  public LimitBackend limits() {
    return limits;
  }

  @Override
  public Scan<RawLockInfo> scanLocks() {
    return locks.scan();
  }

  @Override
  public Scan<SemaphoreStats> scanSemaphores() {
    return semaphores.scan();
  }

  @Override
  public List<Finding> examine() {
    Call call = Call.of(null, null, CancelSignal.never());
    PostgresCheck.Setup setup = check.look(call);
    return call.answered(
        runner.run(
            ScriptRunner.Effect.READ,
            files.read("examine"),
            Map.of(),
            call,
            row -> PostgresFindings.of(row, setup, waiting)));
  }

  @Override
  public void close() {
    waiting.close();
    sweeper.close();
    workers.close();
    runner.close();
  }
}
