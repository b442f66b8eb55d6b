package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.sql.contestant.SqlFile;
import io.syncguard.bench.sql.contestant.SyncGuardLocks;
import io.syncguard.bench.sql.contestant.SyncGuardStores;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.server.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What an acquire costs when the tables hold a million locks, compared with a thousand. */
final class FullTables {

  private static final int FEW = 1_000;
  private static final int MANY = 1_000_000;

  /** How much more than with few rows it may cost. */
  private static final double GOAL = 1.2;

  private FullTables() {}

  static void measureAndPrint(PostgresServer server, Rounds.Plan plan) throws Exception {
    Figures.say("%n3. Cost of an acquire beside %,d locks, half of them expired", MANY);
    try (PostgresDatabase small = server.createDatabase();
        PostgresDatabase large = server.createDatabase();
        FilledStore few = fill(small, FEW);
        FilledStore many = fill(large, MANY)) {
      TableStatistics before = TableStatistics.read(large.address());
      for (KeyKind kind : KeyKind.values()) {
        measure(plan, kind, few, many);
      }
      before.printChangesTo(TableStatistics.read(large.address()));
    }
  }

  private static FilledStore fill(PostgresDatabase database, int rows) throws Exception {
    SyncGuardLocks locks = SyncGuardLocks.onPostgres(database.address());
    database.execute(filling("fill_locks.sql", SyncGuardStores.LOCKS, rows));
    database.execute(filling("fill_counters.sql", SyncGuardStores.COUNTERS, rows));
    database.execute("VACUUM ANALYZE");
    database.execute("CHECKPOINT");
    return new FilledStore(database, locks, SyncGuardStores.LOCKS, rows);
  }

  private static String filling(String file, String table, int rows) {
    return String.format(Locale.ROOT, SqlFile.read(file), table, rows);
  }

  /** The two take turns acquire by acquire, so that whatever happens meanwhile hits both. */
  private static void measure(Rounds.Plan plan, KeyKind kind, FilledStore few, FilledStore many)
      throws Exception {
    List<Double> withFew = new ArrayList<>();
    List<Double> withMany = new ArrayList<>();
    long slice = plan.slice().toNanos();
    long warmUpEnd = System.nanoTime() + 2L * plan.warmUps() * slice;
    long end = warmUpEnd + 2L * plan.rounds() * slice;
    while (System.nanoTime() - end < 0) {
      double microsWithFew = few.acquireMicros(kind);
      double microsWithMany = many.acquireMicros(kind);
      if (System.nanoTime() - warmUpEnd > 0) {
        withFew.add(microsWithFew);
        withMany.add(microsWithMany);
      }
    }
    print(kind, withFew, withMany);
  }

  private static void print(KeyKind kind, List<Double> withFew, List<Double> withMany) {
    Figures.say(
        "  %s: median %.0f us with %,d rows, %.0f us with %,d; mean %.0f and %.0f us",
        kind.title,
        Figures.median(withFew),
        FEW,
        Figures.median(withMany),
        MANY,
        mean(withFew),
        mean(withMany));
    Figures.atMost(
        kind.title + ", many compared with few",
        Figures.median(withMany) / Figures.median(withFew),
        GOAL);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
