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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/** A connection whose statements are prepared once. Not thread-safe. */
final class SqliteConnection implements AutoCloseable {

  private static final Pattern HAS_ROWS = Pattern.compile("^(SELECT|WITH|PRAGMA)|\\bRETURNING\\b");

  /**
   * The statements of a script.
   *
   * @param answering which of them answers for the script: the last one that has rows
   */
  private record Prepared(List<PreparedStatement> inOrder, int answering) {}

  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement rollback;
  private final Map<SqlScript, Prepared> prepared = new HashMap<>();
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

  /**
   * Returns what the reader makes of the only row of the last statement that has rows, or null.
   * What statements before that one answer, the later ones have as parameters.
   */
  <T> @Nullable T execute(
      SqlScript script, Map<String, Object> parameters, ScriptRunner.RowReader<T> reader)
      throws SQLException {
    Prepared statements = statementsOf(script);
    Map<String, Object> known = parameters;
    T result = null;
    for (int i = 0; i < statements.inOrder.size(); i++) {
      PreparedStatement statement = statements.inOrder.get(i);
      Bindings.bind(statement, script.statements().get(i).parameters(), known);
      if (!statement.execute()) {
        continue;
      }
      if (i == statements.answering) {
        result = readOnlyRow(statement, reader);
      } else {
        known = new HashMap<>(known);
        known.putAll(answerOf(statement));
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

  private static Map<String, Object> answerOf(PreparedStatement statement) throws SQLException {
    Map<String, Object> answer = new HashMap<>();
    try (ResultSet rows = statement.getResultSet()) {
      int columns = rows.next() ? rows.getMetaData().getColumnCount() : 0;
      for (int i = 1; i <= columns; i++) {
        answer.put(rows.getMetaData().getColumnLabel(i), rows.getObject(i));
      }
    }
    return answer;
  }

  private Prepared statementsOf(SqlScript script) throws SQLException {
    Prepared known = prepared.get(script);
    if (known != null) {
      return known;
    }
    List<PreparedStatement> statements = new ArrayList<>();
    int answering = 0;
    for (SqlScript.Statement statement : script.statements()) {
      if (HAS_ROWS.matcher(statement.sql()).find()) {
        answering = statements.size();
      }
      statements.add(connection.prepareStatement(statement.sql()));
    }
    Prepared ready = new Prepared(statements, answering);
    prepared.put(script, ready);
    return ready;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
