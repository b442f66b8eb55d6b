package io.syncguard.bench.sql;

import io.syncguard.bench.sql.HoldingContestant.Held;
import io.syncguard.testkit.server.PostgresDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;

/** A store whose table was filled, and one thread that times its acquires. */
final class FilledStore implements AutoCloseable {

  private final HoldingContestant locks;
  private final int rows;
  private final Connection connection;
  private final PreparedStatement expire;
  private final Random random = new Random(1);
  private long fresh;

  FilledStore(PostgresDatabase database, HoldingContestant locks, String table, int rows)
      throws SQLException {
    this.locks = locks;
    this.rows = rows;
    this.connection = database.connect();
    this.expire =
        connection.prepareStatement("UPDATE " + table + " SET expires_at_ms = 1000 WHERE key = ?");
  }

  /** Returns the mean; only the acquires are timed. */
  double microsPerAcquire(KeyKind kind, Duration slice) throws Exception {
    long end = System.nanoTime() + slice.toNanos();
    long timed = 0;
    long acquires = 0;
    while (System.nanoTime() < end) {
      String key = kind == KeyKind.FREE ? "free:" + fresh++ : expiredKey();
      long startedAt = System.nanoTime();
      Held held = locks.acquire(key);
      timed += System.nanoTime() - startedAt;
      acquires++;
      if (kind == KeyKind.FREE) {
        held.release();
      } else {
        letExpireAgain(key);
      }
    }
    return timed / 1e3 / acquires;
  }

  /** Rows with an even number were filled in as expired. */
  private String expiredKey() {
    return "row:" + 2 * random.nextInt(rows / 2);
  }

  private void letExpireAgain(String key) throws SQLException {
    expire.setString(1, key);
    expire.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    locks.close();
  }
}
