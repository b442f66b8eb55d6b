package io.syncguard.sql;

import io.syncguard.spi.Finding;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Whether a SQLite file is fit to keep locks. */
final class SqliteFindings {

  private SqliteFindings() {}

  static List<Finding> of(ResultSet row) throws SQLException {
    return List.of(
        Finding.ok("version", "SQLite " + row.getString("version")),
        integrity(row),
        persistence(row),
        Finding.ok("replication", "none: the processes of one machine share the file"),
        Finding.ok("waiting", "waiters look at the file from time to time"));
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

  /** The file can be given another journal by others, while nobody has it open. */
  private static Finding persistence(ResultSet row) throws SQLException {
    String journal = String.valueOf(row.getString("journal_mode"));
    return journal.equals("wal")
        ? Finding.ok("persistence", "what is granted is on the disk, in a write-ahead log")
        : Finding.warning(
            "persistence",
            "the journal is of mode " + journal + ", so that who reads keeps others from writing",
            "Have nobody else set its journal_mode; it is WAL again when SyncGuard opens it next");
  }
}
