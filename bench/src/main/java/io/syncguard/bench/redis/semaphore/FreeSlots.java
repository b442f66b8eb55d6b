package io.syncguard.bench.redis.semaphore;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.redis.Plan;
import io.syncguard.bench.redis.Server;
import io.syncguard.bench.redis.lock.SyncGuardLocks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Slots that no other thread wants, taken and freed as fast as it goes, beside locks. */
final class FreeSlots implements AutoCloseable {

  private static final List<Integer> THREADS = List.of(1, 16);

  /** Until then they get faster. */
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private final Server server;
  private final Rounds.Plan plan;
  private final Map<String, Contestant> contestants = new LinkedHashMap<>();

  FreeSlots(Server server, Plan plan) {
    this.server = server;
    this.plan = new Rounds.Plan((int) WARM_UP.dividedBy(plan.slice()), plan.rounds(), plan.slice());
    contestants.put(
        SemaphoreReport.SYNCGUARD, new SyncGuardSemaphores(server, SemaphoreReport.SLOTS));
    contestants.put(SemaphoreReport.SYNCGUARD_LOCKS, new SyncGuardLocks(server));
    contestants.put(
        SemaphoreReport.REDISSON, new RedissonSemaphores(server, SemaphoreReport.SLOTS));
  }

  void measureAndPrint() throws Exception {
    Figures.say("%n1. Free slots: cycles per second (medians of %d)", plan.rounds());
    for (int threads : THREADS) {
      print(threads, Rounds.measure(plan, threads, contestants, server::cpuSeconds));
    }
  }

  private void print(int threads, Rounds rounds) {
    for (String name : contestants.keySet()) {
      Figures.say(
          "  %2d threads %-36s %9.0f   Redis %6.2f us per cycle",
          threads, name, rounds.median(name), rounds.meteredPerCycle(name) * 1e6);
    }
    Figures.atLeast(
        "compared with locks, " + threads + " threads",
        rounds.ratio(SemaphoreReport.SYNCGUARD, SemaphoreReport.SYNCGUARD_LOCKS),
        0.9);
    if (threads > 1) {
      Figures.atLeast(
          "compared with Redisson, " + threads + " threads",
          rounds.ratio(SemaphoreReport.SYNCGUARD, SemaphoreReport.REDISSON),
          1.7);
    }
  }

  @Override
  public void close() {
    contestants.values().forEach(Contestant::close);
  }
}
