package io.syncguard.testkit.sql;

import io.syncguard.testkit.server.PostgresAddress;
import io.syncguard.testkit.server.PostgresDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A database as a program sees it that knows nothing of SyncGuard: one connection per statement.
 */
public final class Sql {

  private interface Source {
    Connection connect() throws SQLException;
  }

  private final Source source;

  private Sql(Source source) {
    this.source = source;
  }

  public static Sql on(PostgresDatabase database) {
    return on(database.address());
  }

  public static Sql on(PostgresAddress address) {
    return new Sql(address::connect);
  }

  public static Sql on(Path sqliteFile) {
    return new Sql(() -> DriverManager.getConnection("jdbc:sqlite:" + sqliteFile));
  }

  /** Opens a connection; the caller closes it. */
  public Connection open() {
    try {
      return source.connect();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens a connection for a transaction; the caller closes it. */
  public Connection begin() {
    try {
      Connection connection = source.connect();
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public void execute(String sql, Object... arguments) {
    rows(sql, arguments);
  }

  public List<Map<String, Object>> rows(String sql, Object... arguments) {
    try (Connection connection = source.connect()) {
      return rowsOn(connection, sql, arguments);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed: " + sql, e);
    }
  }

  /** Returns the only value of the only row. */
  public Object value(String sql, Object... arguments) {
    return rows(sql, arguments).get(0).values().iterator().next();
  }

  public long number(String sql, Object... arguments) {
    return ((Number) value(sql, arguments)).longValue();
  }

  public static List<Map<String, Object>> rowsOn(
      Connection connection, String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      List<Map<String, Object>> rows = new ArrayList<>();
      if (statement.execute()) {
        try (ResultSet result = statement.getResultSet()) {
          while (result.next()) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
              row.put(result.getMetaData().getColumnLabel(i), result.getObject(i));
            }
            rows.add(row);
          }
        }
      }
      return rows;
    }
  }
}
