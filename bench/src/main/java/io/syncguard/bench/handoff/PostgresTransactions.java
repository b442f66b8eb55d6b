package io.syncguard.bench.handoff;

import io.syncguard.testkit.server.PostgresDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * What clients have PostgreSQL commit or roll back in one database, by the server's statistics. A
 * connection hands in what it did at its next transaction, or when it has been idle for a while.
 */
final class PostgresTransactions implements RequestMeter {

  private static final Duration HANDED_IN = Duration.ofSeconds(11);
  private static final String COUNT =
      "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";

  private final PostgresDatabase database;
  private long before;
  private long acquisitions;

  PostgresTransactions(PostgresDatabase database) {
    this.database = database;
  }

  @Override
  public void calibrate(Fleet fleet) throws InterruptedException {
    Thread.sleep(HANDED_IN.toMillis());
    before = count();
  }

  @Override
  public void begin() {}

  @Override
  public void end(HandOffs done) {
    acquisitions += done.all();
  }

  @Override
  public double each() throws InterruptedException {
    Thread.sleep(HANDED_IN.toMillis());
    return (double) (count() - before) / acquisitions;
  }

  @Override
  public String breakdown() {
    return "";
  }

  private long count() {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(COUNT)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot read the statistics", e);
    }
  }
}
