package io.syncguard.bench.sql;

import io.syncguard.bench.sql.contestant.HoldingContestant;
import io.syncguard.bench.sql.contestant.HoldingContestant.Held;
import io.syncguard.testkit.server.PostgresDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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

  /** Returns how long the acquire took; what it takes to be able to go on is not timed. */
  double acquireMicros(KeyKind kind) throws Exception {
    String key = kind == KeyKind.FREE ? "free:" + fresh++ : expiredKey();
    long startedAt = System.nanoTime();
    Held held = locks.acquire(key);
    long took = System.nanoTime() - startedAt;
    if (kind == KeyKind.FREE) {
      held.release();
    } else {
      letExpireAgain(key);
    }
    return took / 1e3;
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
