package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.TimeSource;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.sqlite.SQLiteDataSource;

/**
 * Where the tables are, and how to connect.
 *
 * @param path of the database; its log and index lie beside it
 * @param busyTimeout how long to wait for other processes that write
 */
record SqliteFile(Path path, Duration busyTimeout) {

  static final Duration DEFAULT_BUSY_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** Counts up when the tables change; kept in the file. */
  private static final int FORMAT = 1;

  /** Creates the directory, the file and the tables where they are missing. */
  void setUp(Script tables) {
    Call call = Call.of(null, null, CancelSignal.never());
    createDirectory(call);
    try (Connection connection = open("FULL")) {
      // First of all: what is not ours is not to be changed in any way.
      refuseNewerFormat(connection, call);
      inWalMode(connection, call);
      try (SqliteConnection writer = new SqliteConnection(connection)) {
        writer.begin(busyTimeout);
        try {
          refuseNewerFormat(connection, call);
          for (Script.Statement statement : tables.statements()) {
            execute(connection, statement.sql());
          }
          execute(connection, "PRAGMA user_version = " + FORMAT);
        } catch (SQLException | RuntimeException e) {
          writer.rollback();
          throw e;
        }
        writer.commit();
      }
    } catch (SQLException e) {
      throw SqliteFailures.of(e, call);
    }
  }

  SqliteConnection connect(String synchronous) throws SQLException {
    return new SqliteConnection(open(synchronous));
  }

  private Connection open(String synchronous) throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + path.toAbsolutePath());
    Connection connection = source.getConnection();
    try {
      execute(
          connection,
          "PRAGMA busy_timeout = " + Math.min(Integer.MAX_VALUE, busyTimeout.toMillis()));
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

  private void createDirectory(Call call) {
    Path directory = path.toAbsolutePath().getParent();
    try {
      if (directory != null) {
        Files.createDirectories(directory);
      }
    } catch (AccessDeniedException e) {
      throw call.failure(
          Code.AUTH_FAILED, "This user may not create the SQLite file's directory", e);
    } catch (IOException e) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "The directory of the SQLite file is none and cannot be created",
          e);
    }
  }

  /**
   * SQLite does not wait for others who do the same to a new file, whatever its busy timeout: each
   * would wait for the other. So it is asked again.
   */
  private void inWalMode(Connection connection, Call call) throws SQLException {
    long deadline = System.nanoTime() + TimeSource.saturatedNanos(busyTimeout);
    while (true) {
      try {
        switchToWalMode(connection, call);
        return;
      } catch (SQLException e) {
        if (!SqliteFailures.isBusy(e) || deadline - System.nanoTime() < 0 || !paused()) {
          throw e;
        }
      }
    }
  }

  /** Blocks for a moment; returns false if the thread was interrupted, whose flag is then set. */
  private static boolean paused() {
    try {
      Thread.sleep(PAUSE.toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void switchToWalMode(Connection connection, Call call) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
      if (!mode.next() || !mode.getString(1).equalsIgnoreCase("wal")) {
        throw call.failure(
            Code.INVALID_ARGUMENT,
            "SQLite cannot keep a write-ahead log here; the file must be on a local disk",
            null);
      }
    }
  }

  private static void refuseNewerFormat(Connection connection, Call call) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet version = statement.executeQuery("PRAGMA user_version")) {
      if (version.next() && version.getInt(1) > FORMAT) {
        throw call.failure(
            Code.INVALID_ARGUMENT,
            "The SQLite file was written by a newer version of SyncGuard, or is not ours",
            null);
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static SyncGuardException inMemory() {
    return SyncGuardException.invalidArgument(
        "A SQLite database in memory coordinates nobody; use memory: for that");
  }
}
