package io.syncguard.sql;

import io.syncguard.spi.Finding;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Whether a PostgreSQL server is fit to keep locks. */
final class PostgresFindings {

  private static final int OLDEST_SUPPORTED = 150000;

  private PostgresFindings() {}

  static List<Finding> of(ResultSet row) throws SQLException {
    return List.of(version(row), persistence(row), replication(row));
  }

  private static Finding version(ResultSet row) throws SQLException {
    String version = "PostgreSQL " + row.getString("version");
    return row.getInt("number") >= OLDEST_SUPPORTED
        ? Finding.ok("version", version)
        : Finding.warning("version", version, "Use 15 or newer; older ones are not tested");
  }

  private static Finding persistence(ResultSet row) throws SQLException {
    String fsync = row.getString("fsync");
    String commit = row.getString("synchronous_commit");
    String settings = "fsync=" + fsync + ", synchronous_commit=" + commit;
    if (!fsync.equals("on")) {
      return Finding.failure(
          "persistence", settings, "Set fsync=on: a crash can undo locks, or destroy the database");
    }
    return commit.equals("off")
        ? Finding.warning(
            "persistence",
            settings,
            "Set synchronous_commit=on for this user: a crash can undo the last locks and fences")
        : Finding.ok("persistence", settings);
  }

  private static Finding replication(ResultSet row) throws SQLException {
    if (row.getBoolean("replica")) {
      return Finding.failure(
          "replication", "this server is a replica", "Connect to the primary: locks are writes");
    }
    int replicas = row.getInt("replicas");
    return Finding.ok(
        "replication", "primary, " + (replicas == 0 ? "no replicas seen" : replicas + " replicas"));
  }
}
