package io.syncguard.bench.redis.semaphore;

import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.Server;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import java.time.Duration;

/** SyncGuard's semaphores, as a user has them. */
public final class SyncGuardSemaphores implements WaitingContestant {

  private static final SemaphoreOptions OPTIONS =
      SemaphoreOptions.defaults().withTtl(LEASE).withMaxWait(Duration.ofSeconds(60));

  private final SyncGuard guard;
  private final int slots;

  public SyncGuardSemaphores(Server server, int slots) {
    this.guard = SyncGuard.open(server.uri());
    this.slots = slots;
  }

  @Override
  public void cycle(String key) {
    lock(key).release();
  }

  @Override
  public Released lock(String key) {
    Permit permit = guard.semaphore(key, slots, OPTIONS).acquire();
    return () -> Contestant.require(permit.release().isReleased(), "SyncGuard's release");
  }

  /** A slot that is freed without a checked exception. */
  public interface Released extends Held {

    @Override
    void release();
  }

  @Override
  public void close() {
    guard.close();
  }
}
