package io.syncguard.bench.redis.lock;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.redis.Plan;
import io.syncguard.bench.redis.Server;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints what the Redis store's locks are to achieve and what they do, beside other locks on the
 * same server in the same run.
 */
public final class RedisLockReport {

  private static final String USAGE =
      "Arguments: [--quick] [--only contended] [--uri redis://host:port]";

  private RedisLockReport() {}

  /** Blocks for minutes, then has printed all figures. */
  public static void main(String[] args) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    List<String> words = List.of(args);
    int uri = words.indexOf("--uri");
    int only = words.indexOf("--only");
    int known = (words.contains("--quick") ? 1 : 0) + (only >= 0 ? 2 : 0) + (uri >= 0 ? 2 : 0);
    boolean onlyContended =
        only >= 0 && words.subList(only + 1, words.size()).indexOf("contended") == 0;
    if (known != words.size()
        || (only >= 0 && !onlyContended)
        || (uri >= 0 && uri == words.size() - 1)) {
      System.err.println(USAGE);
      System.exit(2);
    }
    Plan plan = words.contains("--quick") ? Plan.QUICK : Plan.FULL;
    long startedAt = System.nanoTime();
    try (Server server = uri >= 0 ? Server.at(words.get(uri + 1)) : Server.start()) {
      describe(server);
      if (!onlyContended) {
        runUncontended(server, plan);
      }
      runContended(server, plan);
      if (!onlyContended) {
        runMemory(server);
      }
    }
    Figures.say(
        "%nTook %d s; load average now %.2f (this run included).",
        (System.nanoTime() - startedAt) / 1_000_000_000, load());
    // Some contestants leave threads behind that would keep the process alive.
    System.exit(0);
  }

  private static void describe(Server server) {
    Figures.say(
        "JDK %s, %d processors, load average %.2f at the start; Redis %s",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        load(),
        server.info("server", "redis_version"));
    Figures.say("Redisson has %s.", RedissonLocks.pools());
    Figures.say("SyncGuard, the floor, Spring Integration and ShedLock share one connection each.");
  }

  private static void runUncontended(Server server, Plan plan) throws Exception {
    try (SyncGuardLocks syncGuard = new SyncGuardLocks(server);
        SeedScripts floor = new SeedScripts(server);
        RedissonLocks redisson = RedissonLocks.plain(server);
        RedissonLocks fenced = RedissonLocks.fenced(server);
        SpringLocks spring = SpringLocks.spinning(server);
        SpringLocks springPush = SpringLocks.notified(server);
        ShedLocks shedLock = new ShedLocks(server)) {
      Map<String, Contestant> contestants = new LinkedHashMap<>();
      contestants.put(Uncontended.FLOOR, floor);
      contestants.put(Uncontended.SYNCGUARD, syncGuard);
      contestants.put(Uncontended.REDISSON, redisson);
      contestants.put(Uncontended.FENCED, fenced);
      contestants.put(Uncontended.SPRING, spring);
      contestants.put(Uncontended.SPRING_PUSH, springPush);
      contestants.put(Uncontended.SHEDLOCK, shedLock);
      Uncontended uncontended = new Uncontended(server, plan, contestants);
      uncontended.measure();
      uncontended.print();
    }
  }

  private static void runContended(Server server, Plan plan) throws Exception {
    try (Contended contended = new Contended(server, plan)) {
      contended.measureAndPrint();
    }
  }

  private static void runMemory(Server server) throws Exception {
    try (SyncGuardLocks syncGuard = new SyncGuardLocks(server)) {
      printMemory(MemoryPerLock.measure(server, syncGuard));
    }
  }

  private static void printMemory(MemoryPerLock memory) {
    Figures.say("%n4. Memory in Redis of a live lock on a key of 20 characters");
    Figures.say(
        "  MEMORY USAGE at most: lock %d, index %d, fence %d bytes; all of Redis grew by %.0f.",
        memory.lock(), memory.index(), memory.fence(), memory.grown());
    Figures.below("bytes, all keys of a lock", (double) memory.total(), 1024);
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
