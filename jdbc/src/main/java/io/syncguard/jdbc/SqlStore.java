package io.syncguard.jdbc;

import io.syncguard.jdbc.backend.LimitScripts;
import io.syncguard.jdbc.backend.LockScripts;
import io.syncguard.jdbc.backend.SecretScripts;
import io.syncguard.jdbc.backend.SemaphoreScripts;
import io.syncguard.jdbc.backend.SqlLimits;
import io.syncguard.jdbc.backend.SqlLocks;
import io.syncguard.jdbc.backend.SqlSecrets;
import io.syncguard.jdbc.backend.SqlSemaphores;
import io.syncguard.jdbc.backend.Waiting;
import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.WorkerThreads;
import io.syncguard.jdbc.sweep.SweepScripts;
import io.syncguard.jdbc.sweep.Sweeper;
import io.syncguard.jdbc.sweep.SweepingRunner;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Workers;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import java.util.Optional;

/** A store on a SQL database: all primitives on its scripts, and what sweeps behind them. */
public abstract class SqlStore implements Store {

  /**
   * How waiters of each kind are told; closed with the store.
   *
   * @param forLocks tells the waiters for locks
   * @param forPermits tells the waiters for permits; may be the same
   */
  public record Waits(Waiting forLocks, Waiting forPermits) {}

  /** What forgets what has expired. */
  protected final Sweeper sweeper;

  private final ScriptRunner runner;
  private final Waits waits;
  private final WorkerThreads workers;
  private final SqlLocks locks;
  private final SqlSemaphores semaphores;
  private final SqlSecrets secrets;
  private final SqlLimits limits;

  /**
   * Puts the primitives together; the database is not asked yet.
   *
   * @param runner carries out all scripts, and is closed with the store
   */
  protected SqlStore(
      LockCapabilities capabilities,
      ScriptFiles files,
      ScriptRunner runner,
      Waits waits,
      WorkerThreads workers,
      TimeSource time) {
    this.runner = runner;
    this.waits = waits;
    this.workers = workers;
    this.sweeper = new Sweeper(runner, SweepScripts.from(files), time, workers);
    SweepingRunner sweeping = new SweepingRunner(runner, sweeper);
    this.locks = new SqlLocks(capabilities, sweeping, LockScripts.from(files), waits.forLocks());
    this.semaphores = new SqlSemaphores(sweeping, SemaphoreScripts.from(files), waits.forPermits());
    this.secrets = new SqlSecrets(sweeping, SecretScripts.from(files));
    this.limits = new SqlLimits(sweeping, LimitScripts.from(files));
  }

  @Override
  public final Optional<Workers> workers() {
    return Optional.of(workers);
  }

  @Override
  public final LockBackend locks() {
    return locks;
  }

  @Override
  public final SemaphoreBackend semaphores() {
    return semaphores;
  }

  @Override
  public final SecretBackend secrets() {
    return secrets;
  }

  @Override
  public final LimitBackend limits() {
    return limits;
  }

  @Override
  public final Scan<RawLockInfo> scanLocks() {
    return locks.scan();
  }

  @Override
  public final Scan<SemaphoreStats> scanSemaphores() {
    return semaphores.scan();
  }

  @Override
  public final void close() {
    waits.forLocks().close();
    waits.forPermits().close();
    sweeper.close();
    workers.close();
    runner.close();
  }
}
