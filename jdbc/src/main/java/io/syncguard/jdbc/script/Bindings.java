package io.syncguard.jdbc.script;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Puts named values in the places of a statement's question marks. */
public final class Bindings {

  private Bindings() {}

  public static void bind(
      PreparedStatement statement, List<String> names, Map<String, Object> values)
      throws SQLException {
    for (int i = 0; i < names.size(); i++) {
      Object value = values.get(names.get(i));
      if (value instanceof String text) {
        statement.setString(i + 1, text);
      } else if (value instanceof Number number) {
        statement.setLong(i + 1, number.longValue());
      } else if (value instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else {
        throw new IllegalArgumentException("There is no value for :" + names.get(i));
      }
    }
  }
}
