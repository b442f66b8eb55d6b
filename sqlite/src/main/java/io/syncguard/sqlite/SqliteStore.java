package io.syncguard.sqlite;

import io.syncguard.SyncGuardException;
import io.syncguard.jdbc.SqlStore;
import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;
import io.syncguard.jdbc.script.WorkerThreads;
import io.syncguard.jdbc.sweep.Sweeper;
import io.syncguard.spi.Finding;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * SyncGuard on a SQLite file, for processes on one machine and without a server. Thread-safe; one
 * is enough for an application.
 */
@SuppressWarnings("exports") // What is inherited is that of Store.
public final class SqliteStore extends SqlStore {

  /** Each process reads the clock by itself; the clock is that of the machine they share. */
  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("sqlite", true, TimeAuthority.CLIENT);

  /** SQLite writes one thing at a time, so more would only stand in line. */
  private static final int THREADS = 4;

  private final SqliteFile file;
  private final ScriptRunner runner;
  private final SqlScript examine;

  private SqliteStore(SqliteFile file, ScriptRunner runner, ScriptFiles files, TimeSource time) {
    super(
        CAPABILITIES,
        files,
        runner,
        new Waits(
            SqliteWaiting.forLocks(
                file,
                new LockGrants(
                    files.read("lock/granted", Effect.READ),
                    files.read("lock/freed", Effect.READ),
                    time)),
            SqliteWaiting.forPermits(file, files.read("semaphore/granted", Effect.READ))),
        new WorkerThreads("syncguard-sqlite", THREADS, file.busyTimeout()),
        time);
    this.file = file;
    this.runner = runner;
    this.examine = files.read("examine", Effect.READ);
  }

  /**
   * Blocks while it opens the file, which must be on a local disk. The file, its tables and its
   * directory are created if they are not there, for this user alone. A user who may only read can
   * look at what is stored; all that writes then fails with AUTH_FAILED.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is no database of SyncGuard's,
   *     AUTH_FAILED if it must not be read, or is not set up and must not be written
   */
  public static SqliteStore open(Path path) {
    return open(new SqliteFile(path, SqliteFile.DEFAULT_BUSY_TIMEOUT), TimeSource.system());
  }

  /** Returns the file of {@code SyncGuard.open()}: {@code .syncguard/syncguard.db} at home. */
  public static Path defaultPath() {
    return Path.of(System.getProperty("user.home", "."), ".syncguard", "syncguard.db");
  }

  static SqliteStore open(SqliteFile file, TimeSource time) {
    ScriptFiles files = files();
    if (!SqliteSetup.from(files, file).run()) {
      return new SqliteStore(file, new SqliteReader(file, time), files, time);
    }
    try {
      SqliteStore store = new SqliteStore(file, new SqliteRunner(file, time), files, time);
      store.sweeper.opening();
      return store;
    } catch (SQLException e) {
      throw SqliteFailures.of(e, SqlCall.ofStore());
    }
  }

  static ScriptFiles files() {
    ScriptFiles.Resources resources = SqliteStore.class::getResourceAsStream;
    ScriptFiles parts = new ScriptFiles(resources, Map.of());
    return new ScriptFiles(
        resources,
        Map.of(
            "settle", parts.readPart("semaphore/settle"),
            "join", parts.readPart("lock/join"),
            "grant", parts.readPart("lock/grant"),
            "sign_of_life", parts.readPart("lock/sign_of_life")));
  }

  Sweeper sweeper() {
    return sweeper;
  }

  @Override
  public List<Finding> examine() {
    SqlCall call = SqlCall.ofStore();
    return call.answered(
        runner.run(
            examine,
            Map.of(),
            call,
            row -> SqliteFindings.of(row, file.rights(), runner instanceof SqliteRunner)));
  }
}
