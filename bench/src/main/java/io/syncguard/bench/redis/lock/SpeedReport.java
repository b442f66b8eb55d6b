package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.CycleThreads;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.redis.Server;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints the figures that the specification claims for locks on Redis: operations per second, the
 * time that an operation takes, and what it saves to call scripts by their digest.
 */
public final class SpeedReport {

  private static final String SYNCGUARD = "SyncGuard";
  private static final String BY_TEXT = "EVAL";
  private static final String BY_DIGEST = "EVALSHA";

  /** An acquire and a release. */
  private static final int OPERATIONS_PER_CYCLE = 2;

  private static final int CHAINS = 256;
  private static final double CLAIMED_PER_SECOND = 25_000;
  private static final Rounds.Plan FULL = new Rounds.Plan(5, 15, Duration.ofMillis(400));
  private static final Rounds.Plan QUICK = new Rounds.Plan(3, 5, Duration.ofMillis(300));
  private static final int SAMPLES = 50_000;
  private static final int QUICK_SAMPLES = 10_000;

  private SpeedReport() {}

  /** Blocks for a minute or two, then has printed all figures. */
  public static void main(String[] args) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    boolean quick = List.of(args).equals(List.of("--quick"));
    if (args.length > 0 && !quick) {
      System.err.println("Arguments: [--quick]");
      System.exit(2);
    }
    Rounds.Plan plan = quick ? QUICK : FULL;
    try (Server server = Server.start()) {
      try (SyncGuardLocks syncGuard = new SyncGuardLocks(server)) {
        throughput(plan, syncGuard);
        latency(quick ? QUICK_SAMPLES : SAMPLES, syncGuard.guard().locks());
      }
      caching(plan, server);
    }
  }

  private static void throughput(Rounds.Plan plan, SyncGuardLocks syncGuard) throws Exception {
    Figures.say("Operations (acquire, release) on free locks per second, medians");
    for (int threads : new int[] {1, 16, 64}) {
      double perSecond =
          OPERATIONS_PER_CYCLE
              * Rounds.measure(plan, threads, Map.of(SYNCGUARD, syncGuard)).median(SYNCGUARD);
      if (threads == 1) {
        // It waits for one answer at a time, so this is a matter of latency.
        Figures.say("  %-62s %9.0f", "1 thread", perSecond);
      } else {
        Figures.atLeast(threads + " threads", perSecond, CLAIMED_PER_SECOND);
      }
    }
    List<Double> rounds = new ArrayList<>();
    for (int round = -plan.warmUps(); round < plan.rounds(); round++) {
      double perSecond = AsyncCycles.run(syncGuard, CHAINS, plan.slice()).perSecond();
      if (round >= 0) {
        rounds.add(OPERATIONS_PER_CYCLE * perSecond);
      }
    }
    Figures.atLeast(
        "without threads, " + CHAINS + " at a time", Figures.median(rounds), CLAIMED_PER_SECOND);
  }

  private static void latency(int samples, Locks locks) {
    List<String> keys = CycleThreads.keys(0);
    List<Long> acquires = new ArrayList<>(samples);
    List<Long> releases = new ArrayList<>(samples);
    for (int i = -samples / 5; i < samples; i++) {
      String key = keys.get(i & (CycleThreads.KEYS - 1));
      long begun = System.nanoTime();
      LockHandle lock = (LockHandle) locks.tryLock(key);
      long taken = System.nanoTime();
      lock.release();
      long freed = System.nanoTime();
      if (i >= 0) {
        acquires.add(taken - begun);
        releases.add(freed - taken);
      }
    }
    Figures.say("%nTime of one operation, 1 thread, %d samples, in milliseconds", samples);
    print("acquire", acquires);
    print("release", releases);
  }

  private static void print(String what, List<Long> nanos) {
    Figures.below(what + ", median", millis(nanos, 0.5), 1);
    Figures.below(what + ", 99 of 100", millis(nanos, 0.99), 1);
    Figures.say("  %-62s %9.2f", what + ", 999 of 1000", millis(nanos, 0.999));
    Figures.say("  %-62s %9.2f", what + ", longest", millis(nanos, 1));
  }

  private static double millis(List<Long> nanos, double share) {
    return Figures.quantile(nanos, share) / 1e6;
  }

  private static void caching(Rounds.Plan plan, Server server) throws Exception {
    Map<String, Contestant> contestants = new LinkedHashMap<>();
    contestants.put(BY_TEXT, BareLocks.byText(server));
    contestants.put(BY_DIGEST, BareLocks.byDigest(server));
    try {
      Rounds processor =
          Rounds.measure(plan, 16, contestants, () -> server.cpuSeconds() * 1_000_000);
      Rounds network =
          Rounds.measure(
              plan,
              16,
              contestants,
              () -> Double.parseDouble(server.info("stats", "total_net_input_bytes")));
      Figures.say("%nThe same scripts by text and by digest, bare, 16 threads, per operation");
      Figures.say("  %-12s%14s%22s%20s", "", "per second", "us of processor", "bytes sent");
      for (String way : contestants.keySet()) {
        Figures.say(
            "  %-12s%14.0f%22.1f%20.0f",
            way,
            OPERATIONS_PER_CYCLE * processor.median(way),
            processor.meteredPerCycle(way) / OPERATIONS_PER_CYCLE,
            network.meteredPerCycle(way) / OPERATIONS_PER_CYCLE);
      }
      Figures.above(
          "operations per second, by digest / by text", processor.ratio(BY_DIGEST, BY_TEXT), 1);
    } finally {
      contestants.values().forEach(Contestant::close);
    }
  }
}
