package io.syncguard.bench.redis;

import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Figures;
import io.syncguard.lock.LockHandle;
import io.syncguard.testkit.server.RedisCluster;
import io.syncguard.testkit.server.RedisSentinel;
import io.syncguard.testkit.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Stops Redis with SIGSTOP under load, and looks at the heap and at how soon it works again. */
public final class HungRedis {

  private static final int PER_SECOND = 500;
  private static final Duration TTL = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int CLUSTER_KEYS = 48;
  private static final double MEGABYTE = 1024 * 1024;

  private HungRedis() {}

  /** Blocks for a minute or two, and prints what it found. */
  public static void main(String[] args) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    Duration hang = Duration.ofSeconds(List.of(args).contains("--quick") ? 10 : 60);
    hangAndReturn(hang);
    failOverSentinel();
    failOverCluster();
    // Acquisitions in doubt are released in the background for as long as they live.
    System.exit(0);
  }

  private static void hangAndReturn(Duration hang) throws Exception {
    try (RedisServer server = RedisServer.start();
        SyncGuard guard = SyncGuard.open(server.uri());
        Load load = new Load(guard)) {
      load.awaitSuccess(System.nanoTime());
      Thread.sleep(5000);
      double before = usedHeap();
      server.pause();
      Thread.sleep(hang.toMillis());
      double grown = usedHeap() - before;
      server.resume();
      long resumedAt = System.nanoTime();
      double seconds = load.awaitSuccess(resumedAt);
      Figures.say("%-60s %6.1f MB (goal: below 50)", "heap grown in " + hang, grown / MEGABYTE);
      Figures.say("%-60s %6.1f s  (goal: below 5)", "from its return to an acquisition", seconds);
    }
  }

  private static void failOverSentinel() throws Exception {
    try (RedisSentinel sentinel = RedisSentinel.start();
        SyncGuard guard =
            SyncGuard.open(
                "redis-sentinel://"
                    + String.join(",", sentinel.sentinelAddresses())
                    + "/0#"
                    + sentinel.masterName());
        Load load = new Load(guard)) {
      load.awaitSuccess(System.nanoTime());
      sentinel.pauseMaster();
      double seconds = load.awaitSuccess(System.nanoTime());
      Figures.say("%-60s %6.1f s  (goal: below 5)", "from Sentinel's failover", seconds);
    }
  }

  private static void failOverCluster() throws Exception {
    try (RedisCluster cluster = RedisCluster.start();
        SyncGuard guard =
            SyncGuard.open(
                "redis-cluster://"
                    + cluster.uris().stream()
                        .map(uri -> URI.create(uri).getAuthority())
                        .collect(Collectors.joining(",")));
        Load load = new Load(guard)) {
      load.awaitSuccess(System.nanoTime());
      cluster.pauseMaster(0);
      long since = System.nanoTime();
      Set<String> missing = ConcurrentHashMap.newKeySet();
      IntStream.range(0, CLUSTER_KEYS).forEach(i -> missing.add("each:" + i));
      while (!missing.isEmpty() && System.nanoTime() - since < PATIENCE.toNanos()) {
        for (String key : missing) {
          guard.locks().async().tryLock(key, TTL).thenAccept(result -> missing.remove(key));
        }
        Thread.sleep(100);
      }
      Figures.say(
          "%-60s %6.1f s  (goal: below 5)",
          "from the Cluster's failover", (System.nanoTime() - since) / 1e9);
    }
  }

  private static double usedHeap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
      least = Math.min(least, (double) (runtime.totalMemory() - runtime.freeMemory()));
    }
    return least;
  }

  /** Begins acquisitions, of a new key each, and releases what it got. */
  private static final class Load implements AutoCloseable {

    private final Thread thread;
    private volatile long lastSuccessBegunAt = Long.MIN_VALUE;
    private volatile long lastSuccessAt;
    private volatile boolean closed;

    Load(SyncGuard guard) {
      thread = new Thread(() -> run(guard), "load");
      thread.setDaemon(true);
      thread.start();
    }

    private void run(SyncGuard guard) {
      long startedAt = System.nanoTime();
      for (long i = 0; !closed; i++) {
        long begunAt = System.nanoTime();
        guard
            .locks()
            .async()
            .tryLock("load:" + i, TTL)
            .thenAccept(
                result -> {
                  lastSuccessAt = System.nanoTime();
                  lastSuccessBegunAt = begunAt;
                  if (result instanceof LockHandle lock) {
                    lock.releaseAsync();
                  }
                });
        long ahead = startedAt + i * 1_000_000_000L / PER_SECOND - System.nanoTime();
        if (ahead > 0) {
          LockSupport.parkNanos(ahead);
        }
      }
    }

    /**
     * Blocks until an acquisition that began after this time succeeds; returns the seconds since.
     */
    double awaitSuccess(long since) throws InterruptedException {
      while (lastSuccessBegunAt == Long.MIN_VALUE || lastSuccessBegunAt - since < 0) {
        if (System.nanoTime() - since > PATIENCE.toNanos()) {
          throw new IllegalStateException("No acquisition succeeded within " + PATIENCE);
        }
        Thread.sleep(1);
      }
      return (lastSuccessAt - since) / 1e9;
    }

    @Override
    public void close() throws InterruptedException {
      closed = true;
      thread.join();
    }
  }
}
