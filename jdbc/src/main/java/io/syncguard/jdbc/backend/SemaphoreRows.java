package io.syncguard.jdbc.backend;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the rows mean that the scripts for semaphores answer with, in every database. */
final class SemaphoreRows {

  private SemaphoreRows() {}

  static PermitAttempt attempt(ResultSet row, SqlCall call) throws SQLException {
    return switch (String.valueOf(row.getString("outcome"))) {
      case "held" ->
          new PermitAttempt.Held(
              row.getInt("number"), Instant.ofEpochMilli(row.getLong("until_ms")));
      case "waiting" -> new PermitAttempt.Waiting(row.getLong("number"));
      case "busy" -> new PermitAttempt.Busy();
      case "limit" -> new PermitAttempt.LimitDiffers(row.getInt("number"));
      default ->
          throw call.failure(Code.INTERNAL, "A permit's row in the database is damaged", null);
    };
  }

  static PermitReleaseResult released(ResultSet row) throws SQLException {
    return row.getString("was").equals("waiting")
        ? PermitReleaseResult.LEFT_QUEUE
        : PermitReleaseResult.RELEASED;
  }

  static List<PermitState> states(ResultSet row) throws SQLException {
    return row.getString("states").chars().mapToObj(SemaphoreRows::state).toList();
  }

  private static PermitState state(int letter) {
    return switch (letter) {
      case 'W' -> PermitState.WAITING;
      case 'G', 'H' -> PermitState.HOLDING;
      default -> PermitState.GONE;
    };
  }

  static SemaphoreStats stats(ResultSet row) throws SQLException {
    return new SemaphoreStats(
        row.getString("name"),
        row.getInt("acquired"),
        row.getInt("slots"),
        row.getInt("waiting"),
        Duration.ofMillis(Math.max(0, row.getLong("waited_ms"))));
  }

  /** Reads the row that it is at and all that follow; leaves out names that are not in use. */
  static KeysetScan.Page<SemaphoreStats> page(ResultSet rows) throws SQLException {
    List<SemaphoreStats> inUse = new ArrayList<>();
    SemaphoreStats stats;
    do {
      stats = stats(rows);
      if (stats.acquired() > 0 || stats.waiting() > 0) {
        inUse.add(stats);
      }
    } while (rows.next());
    return new KeysetScan.Page<>(inUse, stats.name());
  }
}
