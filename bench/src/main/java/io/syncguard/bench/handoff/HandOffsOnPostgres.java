package io.syncguard.bench.handoff;

import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.sql.contestant.SpringLocks;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.server.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** One key in PostgreSQL, and processes that grow in number, each with one client. */
final class HandOffsOnPostgres {

  private static final List<Integer> PROCESSES = List.of(4, 16);
  private static final List<Contender> CONTENDERS =
      List.of(Contender.SQL_LOCK, Contender.SQL_SPRING);

  private HandOffsOnPostgres() {}

  static void measureAndPrint(
      HandOffPlan plan, Predicate<Contender> competes, Predicate<Integer> isAsked)
      throws Exception {
    try (PostgresServer server =
        PostgresServer.builder().setting("max_connections", "300").start()) {
      Figures.say(
          "%n2. PostgreSQL: the same; one client per process (medians of %d rounds of %d ms)",
          plan.rounds(), plan.slice().toMillis());
      Map<Integer, HandOffRounds> sizes = new LinkedHashMap<>();
      for (int processes : PROCESSES) {
        if (isAsked.test(processes)) {
          HandOffRounds rounds = measure(server, plan, processes, competes);
          rounds.print("processes", "transactions");
          sizes.put(processes, rounds);
        }
      }
      Growth growth = new Growth(sizes, Contender.SQL_LOCK);
      growth.handOffsAtLeast(16, 0.8);
      Figures.say("  SyncGuard's lock compared with, median of the ratios round by round:");
      growth.comparedWith(Contender.SQL_SPRING, 1);
    }
  }

  private static HandOffRounds measure(
      PostgresServer server, HandOffPlan plan, int processes, Predicate<Contender> competes)
      throws Exception {
    List<Entry> entries = new ArrayList<>();
    List<PostgresDatabase> databases = new ArrayList<>();
    try {
      for (Contender contender : CONTENDERS) {
        if (competes.test(contender)) {
          PostgresDatabase database = server.createDatabase();
          databases.add(database);
          setUp(contender, database);
          Entry entry = new Entry(contender, new PostgresTransactions(database));
          entries.add(entry);
          entry.open(() -> Fleet.start(contender, database.uri(), processes, processes), plan);
        }
      }
      return HandOffRounds.measure(plan, processes, entries);
    } finally {
      databases.forEach(PostgresDatabase::close);
    }
  }

  private static void setUp(Contender contender, PostgresDatabase database) throws SQLException {
    if (contender == Contender.SQL_SPRING) {
      SpringLocks.setUp(database.address());
    } else {
      try (SyncGuard guard = SyncGuard.open(database.uri())) {
        guard.setupSchema();
      }
    }
  }
}
