package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Figures;
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

  static void measureAndPrint(PostgresServer server, Plan plan) throws Exception {
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
    database.execute(filling("fill_locks.sql", OurStore.LOCKS, rows));
    database.execute(filling("fill_counters.sql", OurStore.COUNTERS, rows));
    database.execute("VACUUM ANALYZE");
    database.execute("CHECKPOINT");
    return new FilledStore(database, locks, OurStore.LOCKS, rows);
  }

  private static String filling(String file, String table, int rows) {
    return String.format(Locale.ROOT, SqlFile.read(file), table, rows);
  }

  private static void measure(Plan plan, KeyKind kind, FilledStore few, FilledStore many)
      throws Exception {
    List<Double> fewMicros = new ArrayList<>();
    List<Double> manyMicros = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int round = -plan.warmUps(); round < plan.rounds(); round++) {
      double microsWithFew = few.microsPerAcquire(kind, plan.slice());
      double microsWithMany = many.microsPerAcquire(kind, plan.slice());
      if (round >= 0) {
        fewMicros.add(microsWithFew);
        manyMicros.add(microsWithMany);
        ratios.add(microsWithMany / microsWithFew);
      }
    }
    Figures.say(
        "  %s: %.0f us with %,d rows, %.0f us with %,d",
        kind.title, Figures.median(fewMicros), FEW, Figures.median(manyMicros), MANY);
    Figures.atMost(kind.title + ", many compared with few", Figures.median(ratios), GOAL);
  }
}
