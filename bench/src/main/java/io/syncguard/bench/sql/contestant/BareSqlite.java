package io.syncguard.bench.sql.contestant;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TransactionMode;

/**
 * What a lock writes into SQLite, and nothing else: a transaction with the counter and the row, and
 * one that deletes the row. One connection, statements prepared once; not thread-safe.
 */
public final class BareSqlite implements Contestant {

  private static final int BUSY_TIMEOUT_MS = 5000;

  private final Connection connection;
  private final PreparedStatement fence;
  private final PreparedStatement acquire;
  private final PreparedStatement release;

  public BareSqlite(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.setTransactionMode(TransactionMode.IMMEDIATE);
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    this.connection = config.createConnection("jdbc:sqlite:" + file);
    try (Statement schema = connection.createStatement()) {
      schema.executeUpdate(SqlFile.read("sqlite_schema.sql"));
    }
    this.fence = connection.prepareStatement(SqlFile.read("sqlite_fence.sql"));
    this.acquire = connection.prepareStatement(SqlFile.read("sqlite_acquire.sql"));
    this.release = connection.prepareStatement(SqlFile.read("sqlite_release.sql"));
    connection.setAutoCommit(false);
  }

  @Override
  public void cycle(String key) throws SQLException {
    String lockId = LockId.random().value();
    write(key, lockId, nextFence(key), System.currentTimeMillis());
    connection.commit();
    release.setString(1, key);
    release.setString(2, lockId);
    Contestant.require(release.executeUpdate() == 1, "the bare delete");
    connection.commit();
  }

  private String nextFence(String key) throws SQLException {
    fence.setString(1, "fence:" + key);
    fence.setString(2, key);
    try (ResultSet row = fence.executeQuery()) {
      row.next();
      return Fence.of(row.getLong(1)).toString();
    }
  }

  private void write(String key, String lockId, String token, long nowMs) throws SQLException {
    acquire.setString(1, key);
    acquire.setString(2, lockId);
    acquire.setLong(3, nowMs + LEASE.toMillis());
    acquire.setLong(4, nowMs);
    acquire.setString(5, token);
    acquire.setString(6, key);
    Contestant.require(acquire.executeUpdate() == 1, "the bare insert");
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
