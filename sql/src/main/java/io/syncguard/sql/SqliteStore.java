package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Finding;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Scan;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.SemaphoreBackend;
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
  private final Script examine;
  private final SqliteWaiting waitingForLocks;
  private final SqliteWaiting waitingForPermits;
  private final Workers workers;
  private final Sweeper sweeper;
  private final SqlLocks locks;
  private final SqlSemaphores semaphores;
  private final SqlSecrets secrets;
  private final SqlLimits limits;

  private SqliteStore(SqliteFile file, SqliteRunner runner, ScriptFiles files, TimeSource time) {
    LockScripts lockScripts = LockScripts.from(files);
    SemaphoreScripts semaphoreScripts = SemaphoreScripts.from(files);
    SecretScripts secretScripts = SecretScripts.from(files);
    LimitScripts limitScripts = LimitScripts.from(files);
    this.runner = runner;
    this.examine = files.read("examine");
    this.waitingForLocks = SqliteWaiting.forLocks(file, lockScripts.findByKey(), time);
    this.waitingForPermits = SqliteWaiting.forPermits(file, files.read("semaphore/granted"));
    this.workers = new Workers("syncguard-sqlite", THREADS);
    this.sweeper =
        new Sweeper(
            runner,
            List.of(
                lockScripts.sweep(),
                semaphoreScripts.sweep(),
                secretScripts.sweep(),
                limitScripts.sweepCounters(),
                limitScripts.sweepLimiters()),
            time,
            workers);
    this.locks = new SqlLocks(runner, lockScripts, waitingForLocks, sweeper, workers);
    this.semaphores =
        new SqlSemaphores(runner, semaphoreScripts, waitingForPermits, sweeper, workers);
    this.secrets = new SqlSecrets(runner, secretScripts, sweeper, workers);
    this.limits = new SqlLimits(runner, limitScripts, sweeper, workers);
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
    ScriptFiles parts = new ScriptFiles("sqlite", Map.of());
    ScriptFiles files =
        new ScriptFiles("sqlite", Map.of("settle", parts.readPart("semaphore/settle")));
    file.setUp(files.read("setup"));
    try {
      return new SqliteStore(file, new SqliteRunner(file, time), files, time);
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
    return call.answered(
        runner.run(ScriptRunner.Effect.READ, examine, Map.of(), call, SqliteFindings::of));
  }

  @Override
  public void close() {
    waitingForLocks.close();
    waitingForPermits.close();
    workers.close();
    runner.close();
  }
}
