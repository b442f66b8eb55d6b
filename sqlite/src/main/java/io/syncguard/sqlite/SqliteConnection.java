package io.syncguard.sqlite;

import io.syncguard.jdbc.script.Bindings;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlScript;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/** A connection whose statements are prepared once. Not thread-safe. */
final class SqliteConnection implements AutoCloseable {

  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement rollback;
  private final Map<SqlScript, List<PreparedStatement>> prepared = new HashMap<>();
  private int busyTimeoutMs;

  SqliteConnection(Connection connection) throws SQLException {
    this.connection = connection;
    this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
    this.commit = connection.prepareStatement("COMMIT");
    this.rollback = connection.prepareStatement("ROLLBACK");
  }

  Connection unwrap() {
    return connection;
  }

  /** Blocks until this connection is the only one that writes, or for this long. */
  void begin(Duration patience) throws SQLException {
    waitForOthers(patience);
    begin.executeUpdate();
  }

  private void waitForOthers(Duration patience) throws SQLException {
    int patienceMs = (int) Math.min(Integer.MAX_VALUE, Math.max(1, patience.toMillis()));
    if (patienceMs != busyTimeoutMs) {
      connection.unwrap(SQLiteConnection.class).setBusyTimeout(patienceMs);
      busyTimeoutMs = patienceMs;
    }
  }

  void commit() throws SQLException {
    commit.executeUpdate();
  }

  void rollback() throws SQLException {
    rollback.executeUpdate();
  }

  /** Moves all of the log into the database and empties it, unless a reader takes that long. */
  void emptyLog(Duration patience) throws SQLException {
    waitForOthers(patience);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  /** Returns what the reader makes of the only row of the last statement that has rows, or null. */
  <T> @Nullable T execute(
      SqlScript script, Map<String, Object> parameters, ScriptRunner.RowReader<T> reader)
      throws SQLException {
    List<PreparedStatement> statements = statementsOf(script);
    T result = null;
    for (int i = 0; i < statements.size(); i++) {
      PreparedStatement statement = statements.get(i);
      Bindings.bind(statement, script.statements().get(i).parameters(), parameters);
      if (statement.execute()) {
        result = readOnlyRow(statement, reader);
      }
    }
    return result;
  }

  private static <T> @Nullable T readOnlyRow(
      PreparedStatement statement, ScriptRunner.RowReader<T> reader) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      return rows.next() ? reader.read(rows) : null;
    }
  }

  private List<PreparedStatement> statementsOf(SqlScript script) throws SQLException {
    List<PreparedStatement> known = prepared.get(script);
    if (known != null) {
      return known;
    }
    List<PreparedStatement> statements = new ArrayList<>();
    for (SqlScript.Statement statement : script.statements()) {
      statements.add(connection.prepareStatement(statement.sql()));
    }
    prepared.put(script, statements);
    return statements;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
