package io.syncguard.postgresql;

import io.syncguard.SyncGuardException;
import io.syncguard.jdbc.SqlStore;
import io.syncguard.jdbc.backend.Waiting;
import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript.Effect;
import io.syncguard.jdbc.script.WorkerThreads;
import io.syncguard.jdbc.sweep.Sweeper;
import io.syncguard.postgresql.connection.Connections;
import io.syncguard.postgresql.connection.LentConnections;
import io.syncguard.spi.Finding;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SyncGuard on PostgreSQL, 15 or newer. Thread-safe; one is enough for an application. */
@SuppressWarnings("exports") // What is inherited is that of Store.
public final class PostgresStore extends SqlStore {

  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("postgresql", true, TimeAuthority.SERVER);

  /** The files that create what is missing. */
  private static final List<String> SETUP =
      Stream.concat(ScriptFiles.SETUP.stream(), Stream.of("lock/setup_queue")).toList();

  private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);
  private static final int THREADS_OVER_A_DATA_SOURCE = 10;

  private final PostgresCheck check;
  private final ScriptFiles files;
  private final Waiting waiting;

  private PostgresStore(
      PostgresCheck check,
      ScriptFiles files,
      Waiting waiting,
      WorkerThreads workers,
      TimeSource time) {
    super(CAPABILITIES, files, check, new Waits(waiting, waiting), workers, time);
    this.check = check;
    this.files = files;
    this.waiting = waiting;
  }

  private static PostgresStore on(
      Connections connections, PostgresOptions options, int threads, TimeSource time) {
    ScriptFiles files = files(options.tables());
    return new PostgresStore(
        new PostgresCheck(
            new PostgresRunner(connections, options.timeout()), files.read("check", Effect.READ)),
        files,
        options.listening().<Waiting>map(PostgresListener::new).orElse(Waiting.POLLING),
        new WorkerThreads("syncguard-postgres", threads, options.timeout()),
        time);
  }

  static ScriptFiles files(PostgresTables tables) {
    return new ScriptFiles(PostgresStore.class::getResourceAsStream, tables.constants());
  }

  /** Blocks while it connects; see {@link #connect(String, PostgresOptions)}. */
  public static PostgresStore connect(String uri) {
    return connect(uri, PostgresOptions.defaults());
  }

  /**
   * Blocks while it connects. The URI is like {@code postgresql://user:password@host:5432/database}
   * and its parameters are those of the driver and SyncGuard's: {@code timeout}, {@code poolSize},
   * {@code waiting}, which is {@code notify} or {@code poll}, and the names of tables, {@code
   * locksTable}, {@code fencesTable}, {@code queuesTable}, {@code waitersTable}, {@code
   * processesTable}, {@code semaphoresTable}, {@code permitsTable}, {@code secretsTable}, {@code
   * payloadsTable}, {@code countersTable} and {@code limitersTable}. They prevail over the options.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT for a bad URI, AUTH_FAILED or
   *     SERVICE_UNAVAILABLE if PostgreSQL cannot be used
   */
  public static PostgresStore connect(String uri, PostgresOptions options) {
    return connect(uri, options, TimeSource.system());
  }

  static PostgresStore connect(String uri, PostgresOptions options, TimeSource time) {
    PostgresUri parsed = PostgresUri.parse(uri, options);
    PostgresStore store = on(PostgresPool.open(parsed), parsed.options(), parsed.poolSize(), time);
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
    return on(
        new LentConnections(connections, options.timeout()),
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
    for (String setup : SETUP) {
      check.unchecked().run(files.readWhole(setup), Map.of(), SqlCall.ofStore(), row -> row);
    }
  }

  Sweeper sweeper() {
    return sweeper;
  }

  @Override
  public List<Finding> examine() {
    SqlCall call = SqlCall.ofStore();
    PostgresCheck.Setup setup = check.look(call);
    return call.answered(
        check
            .unchecked()
            .run(
                files.read("examine", Effect.READ),
                Map.of(),
                call,
                row -> PostgresFindings.of(row, setup, waiting)));
  }
}
