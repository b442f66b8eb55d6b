package io.syncguard.bench.sql.contestant;

import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.bench.contest.Contestant;
import io.syncguard.lock.LockId;
import io.syncguard.testkit.server.PostgresAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The floor: a bare statement each, in autocommit. It does nothing else that a lock needs: no fence
 * counter, no handle, no answer to a lost reply, no regard for other clients.
 */
public final class FloorLocks implements HoldingContestant {

  private static final String ACQUIRE = SqlFile.read("floor_acquire.sql");
  private static final String RELEASE = SqlFile.read("floor_release.sql");

  private final HikariDataSource pool;

  public FloorLocks(PostgresAddress address) throws SQLException {
    this.pool = Pools.open(address);
    SqlFile.run(pool, SqlFile.read("floor_schema.sql"));
  }

  @Override
  public Held acquire(String key) throws SQLException {
    String lockId = LockId.random().value();
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(ACQUIRE)) {
      statement.setString(1, key);
      statement.setString(2, lockId);
      statement.setLong(3, LEASE.toMillis());
      statement.setString(4, key);
      requireRow(statement);
    }
    return () -> release(key, lockId);
  }

  private void release(String key, String lockId) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(RELEASE)) {
      statement.setString(1, key);
      statement.setString(2, lockId);
      requireRow(statement);
    }
  }

  private static void requireRow(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      Contestant.require(row.next(), "the floor's statement");
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
