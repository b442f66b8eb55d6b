package io.syncguard.bench.sql.contestant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Reads and runs the SQL that the comparisons keep in files. */
public final class SqlFile {

  private static final String FOLDER = "/io/syncguard/bench/sql/";

  private SqlFile() {}

  public static String read(String name) {
    try (InputStream file = SqlFile.class.getResourceAsStream(FOLDER + name)) {
      if (file == null) {
        throw new IllegalStateException("Missing in this jar: " + name);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void run(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
