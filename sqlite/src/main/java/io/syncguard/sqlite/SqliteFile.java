package io.syncguard.sqlite;

import io.syncguard.SyncGuardException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * Where the tables are, and how to connect.
 *
 * @param path of the database; its log and index lie beside it
 * @param busyTimeout how long to wait for other processes that write
 */
record SqliteFile(Path path, Duration busyTimeout) {

  static final Duration DEFAULT_BUSY_TIMEOUT = Duration.ofSeconds(10);

  private static final String LOG = "-wal";
  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);

  /**
   * Returns whether this user may write, as far as rights tell, or the file is not there yet.
   * SQLite also needs its log, and the directory to create it in.
   */
  boolean isWritable() {
    return !Files.isRegularFile(path)
        || (Files.isWritable(path)
            && (hasLog() || Files.isWritable(beside(path, LOG).getParent())));
  }

  /** Returns whether some process has the file open, or has died with it. */
  boolean hasLog() {
    return Files.exists(beside(path, LOG));
  }

  /** Returns a file that SQLite keeps beside the database itself, not beside a link to it. */
  static Path beside(Path database, String suffix) {
    Path real = database.toAbsolutePath();
    try {
      real = database.toRealPath();
    } catch (IOException e) {
      log.trace("There is no SQLite file yet", e);
    }
    return real.resolveSibling(real.getFileName() + suffix);
  }

  SqliteRights rights() {
    return new SqliteRights(path.toAbsolutePath());
  }

  SqliteConnection connect(String synchronous) throws SQLException {
    return new SqliteConnection(open(synchronous));
  }

  /**
   * Connects without the right to write. A reader cannot create SQLite's log and index, nor should
   * it where it can, because writers may then be unable to use them.
   *
   * @param logged whether there is a log; without one, SQLite takes the file to be unchanging
   */
  SqliteConnection connectToRead(boolean logged) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl(
        "jdbc:sqlite:" + (logged ? path.toAbsolutePath() : path.toUri() + "?immutable=1"));
    return new SqliteConnection(withBusyTimeout(source.getConnection()));
  }

  Connection open(String synchronous) throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + path.toAbsolutePath());
    Connection connection = withBusyTimeout(source.getConnection());
    try {
      execute(connection, "PRAGMA synchronous = " + synchronous);
      // Elsewhere than on macOS this does nothing; there, a plain flush does not reach the disk.
      execute(connection, "PRAGMA fullfsync = 1");
      execute(connection, "PRAGMA checkpoint_fullfsync = 1");
      // What is deleted may be a secret.
      execute(connection, "PRAGMA secure_delete = 1");
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  private Connection withBusyTimeout(Connection connection) throws SQLException {
    try {
      execute(
          connection,
          "PRAGMA busy_timeout = " + Math.min(Integer.MAX_VALUE, busyTimeout.toMillis()));
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static SyncGuardException inMemory() {
    return SyncGuardException.invalidArgument(
        "A SQLite database in memory coordinates nothing; use memory: for that");
  }
}
