package io.syncguard.bench.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Figures;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.history.HandOffHistory;
import io.syncguard.testkit.history.HandOffHistory.Findings;
import io.syncguard.testkit.process.HandOffResult;
import io.syncguard.testkit.process.ProcessHandOffs;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Passes the slots of a semaphore, or one lock, on between four processes, records every passage,
 * and checks limit, order and fences. Ends with exit code 1 if anything is wrong.
 */
public final class HandOffProof {

  private static final int PROCESSES = 4;
  private static final int THREADS = 16;
  private static final int SLOTS = 4;
  private static final String LOCK = "lock";
  private static final String SEMAPHORE = "semaphore";

  /** What is left in Redis of a lock that is free: its fence counter, which is for ever. */
  private static final String FENCE = ":fence:";

  private static final Duration EXPIRY = QueueTimes.ALIVE.plusSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final boolean ofLock;
  private final int handOffs;

  private HandOffProof(boolean ofLock, int handOffs) {
    this.ofLock = ofLock;
    this.handOffs = handOffs;
  }

  /**
   * Blocks for minutes, then has printed what was found.
   *
   * @param args what to pass on, {@code lock} or {@code semaphore}, which may be left out; a
   *     store's URI, or {@code redis} or {@code postgresql} to start a server; and how many
   *     hand-offs
   */
  public static void main(String[] args) {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    List<String> words = List.of(args);
    if (words.size() == 2) {
      words = List.of(SEMAPHORE, words.get(0), words.get(1));
    }
    if (words.size() != 3 || !List.of(LOCK, SEMAPHORE).contains(words.get(0))) {
      System.err.println("Arguments: [lock|semaphore] redis|postgresql|<URI> <hand-offs>");
      System.exit(2);
    }
    HandOffProof proof =
        new HandOffProof(words.get(0).equals(LOCK), Integer.parseInt(words.get(2)));
    boolean proven =
        switch (words.get(1)) {
          case "redis" -> proof.onOwnRedis();
          case "postgresql" -> proof.onOwnPostgres();
          default -> proof.on(words.get(1));
        };
    System.exit(proven ? 0 : 1);
  }

  private boolean onOwnRedis() {
    try (RedisServer server = RedisServer.start()) {
      boolean proven = on(server.uri());
      List<String> keys = keysLeft(server);
      Figures.say("Keys left in Redis, fence counters aside: %d %s", keys.size(), keys);
      return proven && keys.isEmpty();
    }
  }

  /** Blocks for as long as what expires by itself needs for that. */
  private static List<String> keysLeft(RedisServer server) {
    long deadline = System.nanoTime() + EXPIRY.toNanos();
    List<String> keys = keys(server);
    while (!keys.isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE.toNanos());
      keys = keys(server);
    }
    return keys;
  }

  private static List<String> keys(RedisServer server) {
    return server.command("KEYS", "*") instanceof List<?> keys
        ? keys.stream().map(String::valueOf).filter(key -> !key.contains(FENCE)).toList()
        : List.of("(unknown)");
  }

  private boolean onOwnPostgres() {
    try (PostgresServer server = PostgresServer.start();
        PostgresDatabase database = server.createDatabase()) {
      try (SyncGuard guard = SyncGuard.open(database.uri())) {
        guard.setupSchema();
      }
      return on(database.uri());
    }
  }

  private boolean on(String uri) {
    ProcessHandOffs plan =
        ProcessHandOffs.on(uri).processes(PROCESSES).threads(THREADS).handOffs(handOffs);
    HandOffResult result = (ofLock ? plan.ofLock() : plan.limit(SLOTS)).run();
    HandOffHistory history = result.history();
    Findings findings = history.findings();
    Figures.say(
        "%d hand-offs of %s between %d processes of %d threads in %d s; %d had to wait",
        history.size(),
        ofLock ? "a lock" : SLOTS + " slots",
        PROCESSES,
        THREADS,
        result.took().toSeconds(),
        history.waited());
    Figures.say("Moments with more than %d holders: %d", ofLock ? 1 : SLOTS, findings.overshoots());
    Figures.say("FIFO inversions: %d", findings.inversions());
    Figures.say("Places in the queue lost: %d", history.placesLost());
    if (ofLock) {
      Figures.say("Fences out of order: %d", findings.fencesOutOfOrder());
    }
    boolean unused = isUnused(uri);
    Figures.say("Still in use: %s", unused ? "none" : "some");
    Figures.say("%s", findings.example());
    return unused && history.size() >= handOffs && findings.count() + history.placesLost() == 0;
  }

  private boolean isUnused(String uri) {
    try (SyncGuard guard = SyncGuard.open(uri)) {
      return ofLock
          ? guard.scanLocks().next(CancelSignal.never()).map(List::isEmpty).orElse(true)
          : guard.semaphores().stats().isEmpty();
    }
  }
}
