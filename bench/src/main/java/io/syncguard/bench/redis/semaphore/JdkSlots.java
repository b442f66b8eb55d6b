package io.syncguard.bench.redis.semaphore;

import io.syncguard.bench.contest.WaitingContestant;
import java.util.concurrent.Semaphore;

/**
 * The JDK's own fair semaphore, which no store stands behind: what the threads of one process can
 * reach at all. All clients that share the permits are one contestant.
 */
record JdkSlots(Semaphore permits) implements WaitingContestant {

  @Override
  public void cycle(String key) throws Exception {
    lock(key).release();
  }

  @Override
  public Held lock(String key) throws InterruptedException {
    permits.acquire();
    return permits::release;
  }

  @Override
  public void close() {}
}
