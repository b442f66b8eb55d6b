package io.syncguard.bench.sql;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.sql.contestant.Pools;
import io.syncguard.bench.sql.contestant.SyncGuardStores;
import io.syncguard.lock.LockHandle;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What an operation costs as tables grow that were analysed while they were small, and never since:
 * PostgreSQL then takes them for small, and its usual plans would read all of them.
 */
final class GrowingTables {

  private static final int FIRST = 100;

  /** As many as the medians at the beginning, on the way and at the end are taken of. */
  private static final int PARTS = 10;

  /** How much more than at the beginning it may cost at the end. */
  private static final double GOAL = 1.2;

  private static final Duration LONG = Duration.ofHours(1);
  private static final int PLENTY = 1_000_000_000;

  private static final String NEVER_ANALYSED_AGAIN =
      """
      DO $$
      DECLARE
        found RECORD;
      BEGIN
        FOR found IN SELECT tablename FROM pg_tables WHERE tablename LIKE 'syncguard%' LOOP
          EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', found.tablename);
        END LOOP;
      END $$""";

  private GrowingTables() {}

  static void measureAndPrint(PostgresServer server, Rounds.Plan plan) throws Exception {
    int keys = plan.equals(Plans.FULL) ? 50_000 : 10_000;
    Figures.say(
        "%n4. Cost of an operation over %,d new keys, in tables analysed when they had %d",
        keys, FIRST);
    try (PostgresDatabase database = server.createDatabase();
        HikariDataSource pool = Pools.open(database.address());
        SyncGuard guard =
            SyncGuardStores.onPostgres(pool, GuardOptions.defaults().withKeepOnClose())) {
      List<Growing> all = operations(guard);
      forEachKey(0, FIRST, all);
      database.execute(NEVER_ANALYSED_AGAIN);
      database.execute("VACUUM ANALYZE");
      all.forEach(operation -> operation.micros.clear());
      forEachKey(FIRST, FIRST + keys, all);
      all.forEach(Growing::print);
    }
  }

  /** All take turns key by key, so that whatever happens meanwhile hits all of them. */
  private static void forEachKey(int from, int to, List<Growing> all) {
    for (int number = from; number < to; number++) {
      for (Growing operation : all) {
        operation.run("key:" + number);
      }
    }
  }

  private static List<Growing> operations(SyncGuard guard) {
    return List.of(
        new Growing(
            "acquire",
            key ->
                Contestant.require(
                    guard.locks().tryLock(key, LONG) instanceof LockHandle, "SyncGuard's lock")),
        new Growing(
            "increment",
            key ->
                Contestant.require(
                    guard.counters().increment(key, PLENTY, LONG).isCounted(),
                    "SyncGuard's counter")),
        new Growing(
            "rate limiter",
            key ->
                Contestant.require(
                    guard.rateLimiter(key, PLENTY, LONG, PLENTY).tryAcquire().isAllowed(),
                    "SyncGuard's rate limiter")));
  }

  private record Growing(String title, Consumer<String> operation, List<Double> micros) {

    Growing(String title, Consumer<String> operation) {
      this(title, operation, new ArrayList<>());
    }

    void run(String key) {
      long startedAt = System.nanoTime();
      operation.accept(key);
      micros.add((System.nanoTime() - startedAt) / 1e3);
    }

    void print() {
      List<String> medians = new ArrayList<>();
      for (int part = 0; part < PARTS; part++) {
        medians.add(String.valueOf(Math.round(median(part))));
      }
      Figures.say("  %s: medians of each tenth, us: %s", title, String.join(" ", medians));
      Figures.atMost(
          title + ", the last tenth compared with the second", median(PARTS - 1) / median(1), GOAL);
    }

    private double median(int part) {
      int size = micros.size() / PARTS;
      return Figures.median(micros.subList(part * size, (part + 1) * size));
    }
  }
}
