package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Figures;
import io.syncguard.bench.sql.contestant.SqlFile;
import io.syncguard.testkit.server.PostgresAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** What PostgreSQL says of its tables: rows that live, rows that are dead, and bytes. */
record TableStatistics(Map<String, Row> tables) {

  /** One table, its indexes included. */
  record Row(long live, long dead, long bytes) {}

  static TableStatistics read(PostgresAddress address) throws SQLException {
    Map<String, Row> tables = new TreeMap<>();
    try (Connection connection = address.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SqlFile.read("table_statistics.sql"))) {
      while (rows.next()) {
        tables.put(rows.getString(1), new Row(rows.getLong(2), rows.getLong(3), rows.getLong(4)));
      }
    }
    return new TableStatistics(tables);
  }

  void printChangesTo(TableStatistics after) {
    Figures.say("  %-26s%20s%18s%20s", "table", "live rows", "dead rows", "KiB");
    after.tables.forEach(
        (name, now) -> {
          Row then = tables.getOrDefault(name, new Row(0, 0, 0));
          Figures.say(
              "  %-26s%20s%18s%20s",
              name,
              then.live + " > " + now.live,
              then.dead + " > " + now.dead,
              then.bytes / 1024 + " > " + now.bytes / 1024);
        });
  }
}
