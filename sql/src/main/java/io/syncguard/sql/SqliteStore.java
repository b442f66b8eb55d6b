package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * SyncGuard on a SQLite file, for processes on one machine and without a server. Thread-safe; one
 * is enough for an application.
 */
public final class SqliteStore implements Store {

  /** SQLite writes one thing at a time, so more would only stand in line. */
  private static final int THREADS = 4;

  private final SqliteRunner runner;
  private final SqliteWaiting waiting;
  private final Workers workers;
  private final Sweeper sweeper;
  private final SqlLocks locks;

  private SqliteStore(SqliteFile file, SqliteRunner runner, LockScripts scripts, TimeSource time) {
    this.runner = runner;
    this.waiting = new SqliteWaiting(file, scripts.findByKey(), time);
    this.workers = new Workers("syncguard-sqlite", THREADS);
    this.sweeper = new Sweeper(runner, List.of(scripts.sweep()), time, workers);
    this.locks = new SqlLocks(runner, scripts, waiting, sweeper, workers);
  }

  /**
   * Blocks while it opens the file, which must be on a local disk. The file, its tables and its
   * directory are created if they are not there.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is no database of ours, AUTH_FAILED
   *     if it must not be written
   */
  public static SqliteStore open(Path path) {
    return open(new SqliteFile(path, SqliteFile.DEFAULT_BUSY_TIMEOUT), TimeSource.system());
  }

  /** Returns the file of {@code SyncGuard.open()}: {@code .syncguard/syncguard.db} at home. */
  public static Path defaultPath() {
    return Path.of(System.getProperty("user.home", "."), ".syncguard", "syncguard.db");
  }

  static SqliteStore open(SqliteFile file, TimeSource time) {
    ScriptFiles files = new ScriptFiles("sqlite", Map.of());
    file.setUp(files.read("setup"));
    try {
      return new SqliteStore(file, new SqliteRunner(file, time), LockScripts.from(files), time);
    } catch (SQLException e) {
      throw SqliteFailures.of(e, Call.of(null, null, CancelSignal.never()));
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
  public void close() {
    waiting.close();
    workers.close();
    runner.close();
  }
}
