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
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * SyncGuard on a SQLite file, for processes on one machine and without a server. Thread-safe; one
 * is enough for an application.
 */
public final class SqliteStore implements Store {

  /** Each process reads the clock by itself; the clock is that of the machine they share. */
  private static final LockCapabilities CAPABILITIES =
      new LockCapabilities("sqlite", true, TimeAuthority.CLIENT);

  /** SQLite writes one thing at a time, so more would only stand in line. */
  private static final int THREADS = 4;

  private final SqliteFile file;
  private final ScriptRunner runner;
  private final Script examine;
  private final SqliteWaiting waitingForLocks;
  private final SqliteWaiting waitingForPermits;
  private final Workers workers;
  private final Sweeper sweeper;
  private final SqlLocks locks;
  private final SqlSemaphores semaphores;
  private final SqlSecrets secrets;
  private final SqlLimits limits;

  private SqliteStore(SqliteFile file, ScriptRunner runner, ScriptFiles files, TimeSource time) {
    LockScripts lockScripts = LockScripts.from(files);
    SemaphoreScripts semaphoreScripts = SemaphoreScripts.from(files);
    SecretScripts secretScripts = SecretScripts.from(files);
    LimitScripts limitScripts = LimitScripts.from(files);
    this.file = file;
    this.runner = runner;
    this.examine = files.read("examine");
    this.waitingForLocks = SqliteWaiting.forLocks(file, lockScripts.findByKey(), time);
    this.waitingForPermits = SqliteWaiting.forPermits(file, files.read("semaphore/granted"));
    this.workers = new Workers("syncguard-sqlite", THREADS, file.busyTimeout());
    this.sweeper = new Sweeper(runner, SweepScripts.from(files), time, workers);
    SweepingRunner sweeping = new SweepingRunner(runner, sweeper);
    this.locks = new SqlLocks(CAPABILITIES, sweeping, lockScripts, waitingForLocks, workers);
    this.semaphores = new SqlSemaphores(sweeping, semaphoreScripts, waitingForPermits, workers);
    this.secrets = new SqlSecrets(sweeping, secretScripts, workers);
    this.limits = new SqlLimits(sweeping, limitScripts, workers);
  }

  /**
   * Blocks while it opens the file, which must be on a local disk. The file, its tables and its
   * directory are created if they are not there, for this user alone. Who may only read can look at
   * what is stored; all that writes then fails with AUTH_FAILED.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is no database of ours, AUTH_FAILED
   *     if it must not be read, or is not set up and must not be written
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
    boolean writable = new SqliteSetup(file, files.read("upgrade"), files.read("setup")).run();
    try {
      return writable
          ? toReadAndWrite(file, files, time)
          : new SqliteStore(file, new SqliteReader(file, time), files, time);
    } catch (SQLException e) {
      throw SqliteFailures.of(e, Call.of(null, null, CancelSignal.never()));
    }
  }

  private static SqliteStore toReadAndWrite(SqliteFile file, ScriptFiles files, TimeSource time)
      throws SQLException {
    SqliteStore store = new SqliteStore(file, new SqliteRunner(file, time), files, time);
    store.sweeper.opening();
    return store;
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
        runner.run(
            ScriptRunner.Effect.READ,
            examine,
            Map.of(),
            call,
            row -> SqliteFindings.of(row, file.rights(), runner instanceof SqliteRunner)));
  }

  @Override
  public void close() {
    waitingForLocks.close();
    waitingForPermits.close();
    sweeper.close();
    workers.close();
    runner.close();
  }
}
