package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.sql.contestant.FloorLocks;
import io.syncguard.bench.sql.contestant.Pools;
import io.syncguard.bench.sql.contestant.ReferenceLocks;
import io.syncguard.bench.sql.contestant.ShedLocks;
import io.syncguard.bench.sql.contestant.SpringLocks;
import io.syncguard.bench.sql.contestant.SyncGuardLocks;
import io.syncguard.testkit.server.PostgresAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Free locks on PostgreSQL, taken and freed as fast as it goes, by one thread and by eight. */
final class FreeLocks implements AutoCloseable {

  static final String SYNCGUARD = "SyncGuard";
  static final String FLOOR = "floor (bare statements)";
  static final String SHEDLOCK = "ShedLock";
  static final String SPRING = "Spring Integration";
  static final String REFERENCE = "reference (transactions)";

  private static final List<Integer> THREADS = List.of(1, Pools.SIZE);

  /** What SyncGuard is to reach, as a multiple of what the other does. */
  private static final Map<String, Double> GOALS = new LinkedHashMap<>();

  static {
    GOALS.put(FLOOR, 0.85);
    GOALS.put(SHEDLOCK, 1.3);
    GOALS.put(SPRING, 1.6);
    GOALS.put(REFERENCE, 2.2);
  }

  private final Map<String, Contestant> contestants = new LinkedHashMap<>();
  private final Map<Integer, Rounds> measured = new LinkedHashMap<>();

  FreeLocks(PostgresAddress address) throws Exception {
    contestants.put(FLOOR, new FloorLocks(address));
    contestants.put(SYNCGUARD, SyncGuardLocks.onPostgres(address));
    contestants.put(SHEDLOCK, new ShedLocks(address));
    SpringLocks.setUp(address);
    contestants.put(SPRING, SpringLocks.open(address));
    contestants.put(REFERENCE, new ReferenceLocks(address));
  }

  void measure(Rounds.Plan plan) throws Exception {
    for (int threads : THREADS) {
      measured.put(threads, Rounds.measure(plan, threads, contestants));
    }
  }

  /** Returns how often a contestant took a lock, all in all. */
  long cycles(String name) {
    return measured.values().stream().mapToLong(rounds -> rounds.cycles(name)).sum();
  }

  void print(Rounds.Plan plan) {
    Figures.say("%n1. Free locks: acquire and release per second (medians of %d)", plan.rounds());
    Figures.say("  %-28s%12s%12s", "", "1 thread", Pools.SIZE + " threads");
    for (String name : contestants.keySet()) {
      Figures.say(
          "  %-28s%12.0f%12.0f", name, rounds(1).median(name), rounds(Pools.SIZE).median(name));
    }
    printGoals();
  }

  private void printGoals() {
    Figures.say("  SyncGuard compared with, median of the ratios round by round:");
    for (int threads : THREADS) {
      GOALS.forEach(
          (other, goal) ->
              Figures.atLeast(
                  other + ", threads: " + threads, rounds(threads).ratio(SYNCGUARD, other), goal));
    }
  }

  private Rounds rounds(int threads) {
    Rounds rounds = measured.get(threads);
    if (rounds == null) {
      throw new IllegalStateException("Not measured with " + threads + " threads");
    }
    return rounds;
  }

  @Override
  public void close() {
    contestants.values().forEach(Contestant::close);
  }
}
