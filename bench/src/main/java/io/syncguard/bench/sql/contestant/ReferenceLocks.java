package io.syncguard.bench.sql.contestant;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.testkit.server.PostgresAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What the reference implementation, kriasoft/syncguard, does: transactions that ask, decide in the
 * client, and write. Statement by statement as it does, the time and the two steps of the fence
 * counter included; only that BEGIN travels with the first statement, as JDBC sends it.
 */
public final class ReferenceLocks implements Contestant {

  private static final long TOLERANCE_MS = 1000;

  private static final String SERIALISE = SqlFile.read("reference_serialise.sql");
  private static final String NOW = SqlFile.read("reference_now.sql");
  private static final String FIND = SqlFile.read("reference_find.sql");
  private static final String COUNT_FROM_ZERO = SqlFile.read("reference_count_from_zero.sql");
  private static final String COUNT = SqlFile.read("reference_count.sql");
  private static final String WRITE = SqlFile.read("reference_write.sql");
  private static final String FIND_BY_ID = SqlFile.read("reference_find_by_id.sql");
  private static final String DELETE = SqlFile.read("reference_delete.sql");

  private final HikariDataSource pool;

  public ReferenceLocks(PostgresAddress address) throws SQLException {
    this.pool = Pools.open(address);
    SqlFile.run(pool, SqlFile.read("reference_schema.sql"));
  }

  @Override
  public void cycle(String key) throws SQLException {
    String lockId = LockId.random().value();
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      acquire(connection, key, lockId);
      connection.commit();
    }
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      release(connection, lockId);
      connection.commit();
    }
  }

  private static void acquire(Connection connection, String key, String lockId)
      throws SQLException {
    try (PreparedStatement serialise = connection.prepareStatement(SERIALISE)) {
      serialise.setString(1, key);
      serialise.execute();
    }
    long nowMs = number(connection, NOW);
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setString(1, key);
      try (ResultSet row = find.executeQuery()) {
        Contestant.require(
            !row.next() || row.getLong("expires_at_ms") <= nowMs - TOLERANCE_MS, "its acquire");
      }
    }
    try (PreparedStatement count = connection.prepareStatement(COUNT_FROM_ZERO)) {
      count.setString(1, "fence:" + key);
      count.setString(2, key);
      count.executeUpdate();
    }
    write(connection, key, lockId, Fence.of(number(connection, COUNT, "fence:" + key)), nowMs);
  }

  private static long number(Connection connection, String query, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        Contestant.require(row.next(), "its query");
        return row.getLong(1);
      }
    }
  }

  private static void write(
      Connection connection, String key, String lockId, Fence fence, long nowMs)
      throws SQLException {
    try (PreparedStatement write = connection.prepareStatement(WRITE)) {
      write.setString(1, key);
      write.setString(2, lockId);
      write.setLong(3, nowMs + LEASE.toMillis());
      write.setLong(4, nowMs);
      write.setString(5, fence.toString());
      write.setString(6, key);
      write.executeUpdate();
    }
  }

  private static void release(Connection connection, String lockId) throws SQLException {
    long nowMs = number(connection, NOW);
    String key;
    try (PreparedStatement find = connection.prepareStatement(FIND_BY_ID)) {
      find.setString(1, lockId);
      try (ResultSet row = find.executeQuery()) {
        Contestant.require(
            row.next() && row.getLong("expires_at_ms") > nowMs - TOLERANCE_MS, "its release");
        key = row.getString("key");
      }
    }
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setString(1, key);
      Contestant.require(delete.executeUpdate() == 1, "its delete");
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
