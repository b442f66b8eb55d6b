package io.syncguard.bench.semaphore;

import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Figures;
import io.syncguard.testkit.history.SemaphoreHistory;
import io.syncguard.testkit.history.SemaphoreHistory.Findings;
import io.syncguard.testkit.process.HandOffResult;
import io.syncguard.testkit.process.ProcessHandOffs;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.server.RedisServer;

/**
 * Passes slots on between four processes, records every passage, and checks limit and order. Ends
 * with exit code 1 if anything is wrong.
 */
public final class HandOffProof {

  private static final int PROCESSES = 4;
  private static final int THREADS = 16;
  private static final int SLOTS = 4;

  private HandOffProof() {}

  /**
   * Blocks for minutes, then has printed what was found.
   *
   * @param args a store's URI, or {@code redis} or {@code postgresql} to start a server; and how
   *     many hand-offs
   */
  public static void main(String[] args) {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    if (args.length != 2) {
      System.err.println("Arguments: redis|postgresql|<URI> <hand-offs>");
      System.exit(2);
    }
    int handOffs = Integer.parseInt(args[1]);
    boolean proven =
        switch (args[0]) {
          case "redis" -> onOwnRedis(handOffs);
          case "postgresql" -> onOwnPostgres(handOffs);
          default -> on(args[0], handOffs);
        };
    System.exit(proven ? 0 : 1);
  }

  private static boolean onOwnRedis(int handOffs) {
    try (RedisServer server = RedisServer.start()) {
      boolean proven = on(server.uri(), handOffs);
      String keys = String.valueOf(server.command("DBSIZE"));
      Figures.say("Keys left in Redis: %s", keys);
      return proven && keys.equals("0");
    }
  }

  private static boolean onOwnPostgres(int handOffs) {
    try (PostgresServer server = PostgresServer.start();
        PostgresDatabase database = server.createDatabase()) {
      try (SyncGuard guard = SyncGuard.open(database.uri())) {
        guard.setupSchema();
      }
      return on(database.uri(), handOffs);
    }
  }

  private static boolean on(String uri, int handOffs) {
    HandOffResult result =
        ProcessHandOffs.on(uri)
            .processes(PROCESSES)
            .threads(THREADS)
            .limit(SLOTS)
            .handOffs(handOffs)
            .run();
    SemaphoreHistory history = result.history();
    Findings findings = history.findings();
    Figures.say(
        "%d hand-offs of %d slots between %d processes of %d threads in %d s; %d had to wait",
        history.size(), SLOTS, PROCESSES, THREADS, result.took().toSeconds(), history.waited());
    Figures.say("Moments with more than %d holders: %d", SLOTS, findings.overshoots());
    Figures.say("FIFO inversions: %d", findings.inversions());
    Figures.say("Places in the queue lost: %d", history.placesLost());
    boolean unused = isUnused(uri);
    Figures.say("Semaphores still in use: %s", unused ? "none" : "some");
    Figures.say("%s", findings.example());
    return unused
        && history.size() >= handOffs
        && findings.overshoots() + findings.inversions() + history.placesLost() == 0;
  }

  private static boolean isUnused(String uri) {
    try (SyncGuard guard = SyncGuard.open(uri)) {
      return guard.semaphores().stats().isEmpty();
    }
  }
}
