package io.syncguard.bench.redis.lock;

import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.Server;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** SyncGuard's locks, as a user has them. */
public final class SyncGuardLocks implements AsyncContestant, WaitingContestant {

  private static final LockOptions LONG_WAIT =
      LockOptions.defaults().withTtl(LEASE).withMaxWait(Duration.ofSeconds(60));

  private final SyncGuard guard;

  public SyncGuardLocks(Server server) {
    this(server.uri());
  }

  /** Opens them on any store. */
  public SyncGuardLocks(String uri) {
    this.guard = SyncGuard.open(uri);
  }

  public SyncGuard guard() {
    return guard;
  }

  @Override
  public void cycle(String key) {
    released(((LockHandle) guard.locks().tryLock(key)).release());
  }

  @Override
  public CompletionStage<?> cycleAsync(String key) {
    return guard
        .locks()
        .async()
        .tryLock(key)
        .thenCompose(result -> ((LockHandle) result).releaseAsync())
        .thenAccept(SyncGuardLocks::released);
  }

  private static void released(ReleaseResult result) {
    Contestant.require(result == ReleaseResult.RELEASED, "SyncGuard's release");
  }

  @Override
  public Held lock(String key) {
    LockHandle handle = guard.locks().lock(key, LONG_WAIT);
    return () -> released(handle.release());
  }

  @Override
  public void close() {
    guard.close();
  }
}
