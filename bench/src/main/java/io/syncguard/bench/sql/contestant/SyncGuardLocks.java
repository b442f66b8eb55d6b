package io.syncguard.bench.sql.contestant;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.testkit.server.PostgresAddress;
import java.nio.file.Path;

/** SyncGuard's locks, as a user has them. */
public final class SyncGuardLocks implements HoldingContestant {

  private final SyncGuard guard;
  private final Runnable afterwards;

  private SyncGuardLocks(SyncGuard guard, Runnable afterwards) {
    this.guard = guard;
    this.afterwards = afterwards;
  }

  public static SyncGuardLocks onPostgres(PostgresAddress address) {
    HikariDataSource pool = Pools.open(address);
    return new SyncGuardLocks(SyncGuardStores.onPostgres(pool), pool::close);
  }

  public static SyncGuardLocks onSqlite(Path file) {
    return new SyncGuardLocks(SyncGuardStores.onSqlite(file), () -> {});
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
