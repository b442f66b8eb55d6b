package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.sql.contestant.BareSqlite;
import io.syncguard.bench.sql.contestant.SyncGuardLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Free locks in a file of SQLite, one thread, beside the bare writes. */
final class SqliteLocks {

  private static final String SYNCGUARD = "SyncGuard on SQLite";
  private static final String BARE = "bare transactions";
  private static final double GOAL = 0.8;

  private SqliteLocks() {}

  static void measureAndPrint(Rounds.Plan plan) throws Exception {
    Path directory = Files.createTempDirectory("syncguard-sqlite-");
    Map<String, Contestant> contestants = new LinkedHashMap<>();
    try {
      contestants.put(BARE, new BareSqlite(directory.resolve("bare.db")));
      contestants.put(SYNCGUARD, SyncGuardLocks.onSqlite(directory.resolve("syncguard.db")));
      print(plan, Rounds.measure(plan, 1, contestants), contestants);
    } finally {
      contestants.values().forEach(Contestant::close);
      delete(directory);
    }
  }

  private static void print(Rounds.Plan plan, Rounds rounds, Map<String, Contestant> contestants) {
    Figures.say(
        "%n5. SQLite, WAL, synchronous=FULL: acquire and release per second (medians of %d)",
        plan.rounds());
    contestants.keySet().forEach(name -> Figures.say("  %-28s%12.0f", name, rounds.median(name)));
    Figures.atLeast("SyncGuard compared with the bare writes", rounds.ratio(SYNCGUARD, BARE), GOAL);
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
