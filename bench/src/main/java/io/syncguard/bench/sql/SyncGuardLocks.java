package io.syncguard.bench.sql;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.testkit.server.PostgresAddress;
import java.nio.file.Path;

/** Ours, as a user has it. */
final class SyncGuardLocks implements HoldingContestant {

  private final SyncGuard guard;
  private final Runnable afterwards;

  private SyncGuardLocks(SyncGuard guard, Runnable afterwards) {
    this.guard = guard;
    this.afterwards = afterwards;
  }

  static SyncGuardLocks onPostgres(PostgresAddress address) {
    HikariDataSource pool = Pools.open(address);
    return new SyncGuardLocks(OurStore.onPostgres(pool), pool::close);
  }

  static SyncGuardLocks onSqlite(Path file) {
    return new SyncGuardLocks(OurStore.onSqlite(file), () -> {});
  }

  @Override
  public Held acquire(String key) {
    LockHandle handle = (LockHandle) guard.locks().tryLock(key, LEASE);
    return () ->
        Contestant.require(handle.release() == ReleaseResult.RELEASED, "SyncGuard's release");
  }

  @Override
  public void close() {
    guard.close();
    afterwards.run();
  }
}
