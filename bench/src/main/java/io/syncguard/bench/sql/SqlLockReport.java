package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.contest.Rounds;
import io.syncguard.bench.sql.contestant.Pools;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.server.PostgresServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Prints what the SQL store's locks are to achieve and what they do, beside other locks on the same
 * PostgreSQL, and beside bare writes on SQLite, in the same run.
 */
public final class SqlLockReport {

  private SqlLockReport() {}

  /** Blocks for minutes, then has printed all figures. */
  public static void main(String[] args) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    List<String> words = List.of(args);
    if (!words.isEmpty() && !words.equals(List.of("--quick"))) {
      System.err.println("Arguments: [--quick]");
      System.exit(2);
    }
    Rounds.Plan plan = words.isEmpty() ? Plans.FULL : Plans.QUICK;
    long startedAt = System.nanoTime();
    try (PostgresServer server = PostgresServer.start()) {
      describe(server);
      measureFreeLocks(server, plan);
      FullTables.measureAndPrint(server, plan);
      GrowingTables.measureAndPrint(server, plan);
    }
    SqliteLocks.measureAndPrint(plan);
    Figures.say(
        "%nTook %d s; load average now %.2f (this run included).",
        (System.nanoTime() - startedAt) / 1_000_000_000, load());
    // Some contestants leave threads behind that would keep the process alive.
    System.exit(0);
  }

  private static void describe(PostgresServer server) throws SQLException, IOException {
    try (Connection connection = server.connect()) {
      Figures.say(
          "JDK %s, %d processors, load average %.2f at the start",
          Runtime.version(), Runtime.getRuntime().availableProcessors(), load());
      Figures.say(
          "PostgreSQL %s, fsync %s, synchronous_commit %s; a block is on the disk after %.0f us",
          show(connection, "server_version"),
          show(connection, "fsync"),
          show(connection, "synchronous_commit"),
          SyncCost.medianMicros());
    }
    Figures.say("Every contestant has a HikariCP pool of %d connections.", Pools.SIZE);
  }

  private static void measureFreeLocks(PostgresServer server, Rounds.Plan plan) throws Exception {
    try (PostgresDatabase database = server.createDatabase();
        FreeLocks freeLocks = new FreeLocks(database.address())) {
      TableStatistics before = TableStatistics.read(database.address());
      freeLocks.measure(plan);
      freeLocks.print(plan);
      Figures.say(
          "%n2. Tables before > after that run (SyncGuard: %d cycles, floor: %d)",
          freeLocks.cycles(FreeLocks.SYNCGUARD), freeLocks.cycles(FreeLocks.FLOOR));
      before.printChangesTo(TableStatistics.read(database.address()));
    }
  }

  private static String show(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
