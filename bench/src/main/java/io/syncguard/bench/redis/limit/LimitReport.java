package io.syncguard.bench.redis.limit;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.redis.Server;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints what the Redis store's counters and rate limiters are to achieve and what they do, beside
 * other limiters on the same server in the same run.
 */
public final class LimitReport {

  /** How many are allowed: so many that the limit is never reached. */
  static final long PLENTY = 1_000_000;

  private static final String FLOOR = "floor (the same script, bare)";
  private static final String COUNTER = "SyncGuard counter";
  private static final String LIMITER = "SyncGuard rate limiter";
  private static final String BUCKET4J = "Bucket4j";
  private static final String REDISSON = "Redisson RRateLimiter";

  private static final List<Integer> THREADS = List.of(1, 16);
  private static final Rounds.Plan FULL = new Rounds.Plan(5, 15, Duration.ofMillis(400));
  private static final Rounds.Plan QUICK = new Rounds.Plan(3, 5, Duration.ofMillis(300));

  private LimitReport() {}

  /** Blocks for a minute or so, then has printed all figures. */
  public static void main(String[] args) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    boolean quick = List.of(args).equals(List.of("--quick"));
    if (args.length > 0 && !quick) {
      System.err.println("Arguments: [--quick]");
      System.exit(2);
    }
    try (Server server = Server.start()) {
      measureAndPrint(server, quick ? QUICK : FULL);
    }
    // Some contestants leave threads behind that would keep the process alive.
    System.exit(0);
  }

  private static void measureAndPrint(Server server, Rounds.Plan plan) throws Exception {
    Map<String, Contestant> contestants = new LinkedHashMap<>();
    contestants.put(FLOOR, new BareCounters(server));
    contestants.put(COUNTER, SyncGuardLimits.counting(server));
    contestants.put(LIMITER, SyncGuardLimits.limiting(server));
    contestants.put(BUCKET4J, new Bucket4jLimits(server));
    contestants.put(REDISSON, new RedissonLimits(server));
    try {
      for (int threads : THREADS) {
        print(threads, plan, contestants, Rounds.measure(plan, threads, contestants));
      }
    } finally {
      contestants.values().forEach(Contestant::close);
    }
  }

  private static void print(
      int threads, Rounds.Plan plan, Map<String, Contestant> contestants, Rounds rounds) {
    Figures.say(
        "%nPermits or increments per second, threads: %d (medians of %d)", threads, plan.rounds());
    for (String name : contestants.keySet()) {
      Figures.say("  %-28s%12.0f", name, rounds.median(name));
    }
    Figures.say("  SyncGuard compared with, median of the ratios round by round:");
    Figures.atLeast("counter / floor", rounds.ratio(COUNTER, FLOOR), 0.9);
    for (String syncGuard : List.of(COUNTER, LIMITER)) {
      for (String other : List.of(BUCKET4J, REDISSON)) {
        Figures.above(syncGuard + " / " + other, rounds.ratio(syncGuard, other), 1);
      }
    }
  }
}
