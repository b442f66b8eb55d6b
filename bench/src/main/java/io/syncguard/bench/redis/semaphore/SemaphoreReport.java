package io.syncguard.bench.redis.semaphore;

import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.redis.Plan;
import io.syncguard.bench.redis.Server;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Prints what the Redis store's semaphores are to achieve and what they do, beside SyncGuard's
 * locks and Redisson's semaphores on the same server in the same run.
 */
public final class SemaphoreReport {

  static final String SYNCGUARD = "SyncGuard FairSemaphore";
  static final String SYNCGUARD_LOCKS = "SyncGuard lock";
  static final String REDISSON = "Redisson RPermitExpirableSemaphore";
  static final int SLOTS = 4;

  private SemaphoreReport() {}

  /** Blocks for minutes, then has printed all figures. */
  public static void main(String[] args) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    List<String> words = List.of(args);
    if (!words.isEmpty() && !words.equals(List.of("--quick"))) {
      System.err.println("Arguments: [--quick]");
      System.exit(2);
    }
    Plan plan = words.isEmpty() ? Plan.FULL : Plan.QUICK;
    long startedAt = System.nanoTime();
    try (Server server = Server.start()) {
      Figures.say(
          "JDK %s, %d processors, load average %.2f at the start; Redis %s",
          Runtime.version(),
          Runtime.getRuntime().availableProcessors(),
          load(),
          server.info("server", "redis_version"));
      try (FreeSlots free = new FreeSlots(server, plan)) {
        free.measureAndPrint();
      }
      contend(server, plan, 1, 1.3);
      contend(server, plan, 4, 1.5);
      QueueLengths.measureAndPrint(server);
    }
    Figures.say(
        "%nTook %d s; load average now %.2f (this run included).",
        (System.nanoTime() - startedAt) / 1_000_000_000, load());
    // Redisson leaves threads behind that would keep the process alive.
    System.exit(0);
  }

  private static void contend(Server server, Plan plan, int clients, double goal) throws Exception {
    try (ContendedSlots contended = new ContendedSlots(server, plan, clients, goal)) {
      contended.measureAndPrint();
    }
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
