package io.syncguard.postgresql;

import io.syncguard.jdbc.backend.Waiting;
import io.syncguard.spi.Finding;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a PostgreSQL server is fit to keep locks. */
final class PostgresFindings {

  private static final int OLDEST_SUPPORTED = 150_000;

  private PostgresFindings() {}

  static List<Finding> of(ResultSet row, PostgresCheck.Setup setup, Waiting waiting)
      throws SQLException {
    return List.of(
        version(row),
        persistence(row),
        replication(row),
        schema(setup),
        rights(row, setup),
        isolation(setup),
        waiting(waiting));
  }

  private static Finding version(ResultSet row) throws SQLException {
    String version = "PostgreSQL " + row.getString("version");
    return row.getInt("version_number") >= OLDEST_SUPPORTED
        ? Finding.ok("version", version)
        : Finding.failure("version", version, "Use 15 or newer");
  }

  private static Finding persistence(ResultSet row) throws SQLException {
    String fsync = row.getString("fsync");
    String commit = row.getString("synchronous_commit");
    String settings = "fsync=" + fsync + ", synchronous_commit=" + commit;
    if (!fsync.equals("on")) {
      return Finding.warning(
          "persistence",
          settings + ": a crash can undo locks and fences, and destroy the database",
          "Set fsync=on");
    }
    return commit.equals("off")
        ? Finding.warning(
            "persistence",
            settings + ": a crash can undo the last locks and fences",
            "Set synchronous_commit=on, if only for this user")
        : Finding.ok("persistence", settings);
  }

  private static Finding replication(ResultSet row) throws SQLException {
    if (row.getBoolean("recovering")) {
      return Finding.failure(
          "replication",
          "this server is a replica, and locks are writes",
          "Connect to the primary, for instance with targetServerType=primary");
    }
    int replicas = row.getInt("replicas");
    if (replicas == 0) {
      return Finding.ok("replication", "primary without replicas");
    }
    return isSynchronous(row)
        ? Finding.ok("replication", "primary that waits for its replicas: " + replicas)
        : Finding.warning(
            "replication",
            "primary that does not wait for its replicas: a failover may forget the last locks and"
                + " fences",
            "Set synchronous_standby_names; have resources check fences");
  }

  private static boolean isSynchronous(ResultSet row) throws SQLException {
    String commit = row.getString("synchronous_commit");
    return !row.getString("synchronous_standby_names").isEmpty()
        && !commit.equals("off")
        && !commit.equals("local");
  }

  private static Finding schema(PostgresCheck.Setup setup) {
    return setup.isComplete()
        ? Finding.ok("schema", "the tables and functions are there")
        : Finding.failure(
            "schema",
            "there is no " + setup.firstMissing(),
            "Run 'syncguard setup' or call setupSchema(), once; or see to the search_path");
  }

  private static Finding rights(ResultSet row, PostgresCheck.Setup setup) throws SQLException {
    String refused = row.getString("refused");
    if (!refused.isEmpty()) {
      return Finding.failure(
          "rights",
          "this user may not use " + refused,
          "GRANT SELECT, INSERT, UPDATE and DELETE on them to this user");
    }
    return setup.readOnly()
        ? Finding.failure(
            "rights",
            "transactions are read-only",
            "Connect to the primary; see default_transaction_read_only")
        : Finding.ok("rights", "this user may read and write");
  }

  private static Finding isolation(PostgresCheck.Setup setup) {
    return setup.isReadCommitted()
        ? Finding.ok("isolation", setup.isolation())
        : Finding.failure(
            "isolation",
            setup.isolation() + ": waiting for others would end in serialization failures",
            "Set default_transaction_isolation, or the pool's, to READ COMMITTED");
  }

  private static Finding waiting(Waiting waiting) {
    if (!(waiting instanceof PostgresListener listener)) {
      return Finding.ok("waiting", "waiters ask again from time to time, as they are told to");
    }
    @Nullable String obstacle = listener.obstacle();
    return obstacle == null
        ? Finding.ok("waiting", "PostgreSQL tells waiters of changes")
        : Finding.warning(
            "waiting",
            "waiters ask again from time to time, because " + obstacle,
            "Let the connection that listens lead to the server itself");
  }
}
