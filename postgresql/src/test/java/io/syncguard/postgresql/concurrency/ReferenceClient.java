package io.syncguard.postgresql.concurrency;

import io.syncguard.lock.LockId;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** What a client of the reference implementation sends to acquire a lock, a step at a time. */
final class ReferenceClient implements AutoCloseable {

  /** Its transaction, in its order. */
  enum Step {
    LOCK_KEY,
    LOOK,
    COUNT_FENCE,
    OVERWRITE,
    COMMIT
  }

  private final Connection connection;
  private final String key;
  private final LockId lockId = LockId.random();
  private boolean contended;
  private long fence;

  ReferenceClient(Sql sql, String key) {
    this.connection = sql.begin();
    this.key = key;
  }

  LockId lockId() {
    return lockId;
  }

  /** Returns whether it believes to have the lock, once it has committed. */
  boolean believesToOwn() {
    return !contended;
  }

  void perform(Step step) {
    try {
      switch (step) {
        case LOCK_KEY -> rows("SELECT pg_advisory_xact_lock(hashtext(?))", key);
        case LOOK -> look();
        case COUNT_FENCE -> countFence();
        case OVERWRITE -> overwrite();
        case COMMIT -> connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void look() throws SQLException {
    contended =
        !rows(
                "SELECT 1 FROM syncguard_locks WHERE key = ? AND expires_at_ms > "
                    + (OnPostgres.NOW + " - 1000"),
                key)
            .isEmpty();
  }

  private void countFence() throws SQLException {
    if (!contended) {
      fence =
          (Long)
              rows(
                      "INSERT INTO syncguard_fence_counters AS c (fence_key, fence, key_debug)"
                          + " VALUES (?, 1, ?) ON CONFLICT (fence_key)"
                          + " DO UPDATE SET fence = c.fence + 1 RETURNING fence",
                      "fence:" + key,
                      key)
                  .get(0)
                  .get("fence");
    }
  }

  private void overwrite() throws SQLException {
    if (!contended) {
      rows(
          "INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence,"
              + (" user_key) SELECT ?, ?, now + 300000, now, ?, ? FROM (SELECT " + OnPostgres.NOW)
              + " AS now) clock ON CONFLICT (key) DO UPDATE SET lock_id = EXCLUDED.lock_id,"
              + " expires_at_ms = EXCLUDED.expires_at_ms, acquired_at_ms = EXCLUDED.acquired_at_ms,"
              + " fence = EXCLUDED.fence, user_key = EXCLUDED.user_key",
          key,
          lockId.value(),
          "%015d".formatted(fence),
          key);
    }
  }

  private List<Map<String, Object>> rows(String sql, Object... arguments) throws SQLException {
    return Sql.rowsOn(connection, sql, arguments);
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
