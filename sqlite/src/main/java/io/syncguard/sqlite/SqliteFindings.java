package io.syncguard.sqlite;

import io.syncguard.spi.Finding;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Whether a SQLite file is fit to keep locks. */
final class SqliteFindings {

  private SqliteFindings() {}

  static List<Finding> of(ResultSet row, SqliteRights rights, boolean writable)
      throws SQLException {
    return List.of(
        Finding.ok("version", "SQLite " + row.getString("version")),
        integrity(row),
        rights(writable),
        rights.privacy(),
        Finding.ok("persistence", "what is granted is on the disk, in a write-ahead log"),
        Finding.ok("replication", "none: the processes of one machine share the file"),
        Finding.ok("waiting", "waiters look at the file from time to time"));
  }

  private static Finding rights(boolean writable) {
    return writable
        ? Finding.ok("rights", "this user may read and write")
        : Finding.failure(
            "rights",
            "this user may only read",
            "Let this user write to the file and to its directory");
  }

  private static Finding integrity(ResultSet row) throws SQLException {
    String damage = String.valueOf(row.getString("damage"));
    return damage.equals("ok")
        ? Finding.ok("integrity", "the file is sound")
        : Finding.failure(
            "integrity",
            "the file is damaged: " + damage,
            "Stop all who use it, then restore it or move it away");
  }
}
