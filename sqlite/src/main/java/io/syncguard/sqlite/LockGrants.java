package io.syncguard.sqlite;

import io.syncguard.SyncGuardException;
import io.syncguard.jdbc.backend.WaitersToTell;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.lock.Fence;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Finds the waiters for locks that are to be told: of their grants, and to look if a lock is free
 * that they are first for. Clients that know of the queue leave no lock free, so that is looked for
 * less often, as it takes longer the more locks have a queue.
 */
final class LockGrants implements SqliteWaiting.Look {

  private static final Duration PAUSE = Duration.ofMillis(20);

  /** A pause is at least as long as so many looks would take. */
  private static final int LOOKS_PER_PAUSE = 20;

  private final SqlScript granted;
  private final SqlScript freed;
  private final TimeSource time;
  private long nextForFreed = System.nanoTime();

  LockGrants(SqlScript granted, SqlScript freed, TimeSource time) {
    this.granted = granted;
    this.freed = freed;
    this.time = time;
  }

  @Override
  public boolean tell(SqliteConnection connection, WaitersToTell waiters) throws SQLException {
    Map<String, Object> now = Map.of("now_ms", time.currentTimeMillis());
    connection.execute(
        granted,
        now,
        row -> {
          do {
            tellOfGrant(row, waiters);
          } while (row.next());
          return true;
        });
    long before = System.nanoTime();
    if (before - nextForFreed < 0) {
      return false;
    }
    connection.execute(
        freed,
        now,
        row -> {
          do {
            waiters.look(String.valueOf(row.getString("lock_id")));
          } while (row.next());
          return true;
        });
    long after = System.nanoTime();
    nextForFreed = after + Math.max(PAUSE.toNanos(), LOOKS_PER_PAUSE * (after - before));
    return true;
  }

  private static void tellOfGrant(ResultSet row, WaitersToTell waiters) throws SQLException {
    String lockId = row.getString("lock_id");
    try {
      waiters.granted(
          lockId,
          new Granted(
              Fence.parse(row.getString("fence")),
              Instant.ofEpochMilli(row.getLong("expires_at_ms"))));
    } catch (SyncGuardException damaged) {
      // The waiter is told so when it asks.
      waiters.look(lockId);
    }
  }
}
