package io.syncguard.bench.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** SQL that is kept in files. */
final class SqlFile {

  private SqlFile() {}

  static String read(String name) {
    try (InputStream file = SqlFile.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("Missing in this jar: " + name);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void run(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
