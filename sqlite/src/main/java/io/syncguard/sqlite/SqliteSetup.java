package io.syncguard.sqlite;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;
import io.syncguard.spi.TimeSource;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes a SQLite file ready for use when it is opened.
 *
 * @param file which
 * @param upgrade what makes tables of the format before those of this one
 * @param tables what creates the tables that are missing
 * @param queue what creates those that are missing and that only clients that write need
 */
record SqliteSetup(
    SqliteFile file,
    List<SqlScript.Statement> upgrade,
    List<SqlScript.Statement> tables,
    List<SqlScript.Statement> queue) {

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** Counts up when the tables change; kept in the file. */
  private static final int FORMAT = 2;

  /** What a script creates, by its name. */
  private static final Pattern CREATED = Pattern.compile("IF NOT EXISTS (\\w+)");

  static SqliteSetup from(ScriptFiles files, SqliteFile file) {
    return new SqliteSetup(
        file,
        files.read("upgrade", Effect.WRITE).statements(),
        ScriptFiles.SETUP.stream()
            .flatMap(setup -> files.read(setup, Effect.WRITE).statements().stream())
            .toList(),
        files.read("lock/setup_queue", Effect.WRITE).statements());
  }

  /**
   * Creates the directory, the file and the tables where they are missing. Writes nothing if
   * nothing is missing: waiters would look, and users who may only read could not open it.
   *
   * @return whether this user may write to it
   */
  boolean run() {
    SqlCall call = SqlCall.ofStore();
    if (!file.isWritable()) {
      refuseUnlessSetUp(call);
      return false;
    }
    SqliteRights rights = file.rights();
    create(rights, call);
    try (Connection connection = file.open("FULL")) {
      // First of all: a file of something else is not to be changed in any way.
      refuseNewerFormat(connection, call);
      rights.mend();
      if (!isLogged(connection) || !isSetUp(connection) || !hasAll(queue, connection)) {
        inWalMode(connection, call);
        createTables(connection, call);
      }
    } catch (SQLException e) {
      throw SqliteFailures.of(e, call);
    }
    return true;
  }

  private void createTables(Connection connection, SqlCall call) throws SQLException {
    try (SqliteConnection writer = new SqliteConnection(connection)) {
      writer.begin(file.busyTimeout());
      try {
        refuseNewerFormat(connection, call);
        if (format(connection) == FORMAT - 1) {
          executeAll(upgrade, connection);
        }
        executeAll(tables, connection);
        executeAll(queue, connection);
        SqliteFile.execute(connection, "PRAGMA user_version = " + FORMAT);
      } catch (SQLException | RuntimeException e) {
        writer.rollback();
        throw e;
      }
      writer.commit();
    }
  }

  private static void executeAll(List<SqlScript.Statement> statements, Connection connection)
      throws SQLException {
    for (SqlScript.Statement statement : statements) {
      SqliteFile.execute(connection, statement.sql());
    }
  }

  private static boolean isLogged(Connection connection) throws SQLException {
    return values(connection, "PRAGMA journal_mode").contains("wal");
  }

  private boolean isSetUp(Connection connection) throws SQLException {
    return format(connection) == FORMAT && hasAll(tables, connection);
  }

  private static boolean hasAll(List<SqlScript.Statement> created, Connection connection)
      throws SQLException {
    return values(connection, "SELECT name FROM sqlite_schema")
        .containsAll(
            created.stream()
                .flatMap(statement -> CREATED.matcher(statement.sql()).results())
                .map(name -> name.group(1))
                .toList());
  }

  private void refuseUnlessSetUp(SqlCall call) {
    if (!Files.isReadable(file.path())) {
      throw call.failure(Code.AUTH_FAILED, "This user may not read the SQLite file", null);
    }
    Boolean setUp =
        new SqliteReader(file, TimeSource.system())
            .read(
                call,
                connection -> {
                  refuseNewerFormat(connection.unwrap(), call);
                  return isSetUp(connection.unwrap());
                });
    if (setUp == null || !setUp) {
      throw call.failure(
          Code.AUTH_FAILED,
          "The SQLite file has not all tables. " + SqliteReader.ONLY_READABLE,
          null);
    }
  }

  private static void create(SqliteRights rights, SqlCall call) {
    try {
      rights.createDirectory();
      rights.createFile();
    } catch (AccessDeniedException e) {
      throw call.failure(
          Code.AUTH_FAILED, "This user may not create the SQLite file or its directory", e);
    } catch (IOException e) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "The directory of the SQLite file is none and cannot be created",
          e);
    }
  }

  /**
   * SQLite does not wait for other processes that do the same to a new file, whatever its busy
   * timeout: each would wait for the other. So it is asked again.
   */
  private void inWalMode(Connection connection, SqlCall call) throws SQLException {
    long deadline = System.nanoTime() + TimeSource.saturatedNanos(file.busyTimeout());
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

  private static void switchToWalMode(Connection connection, SqlCall call) throws SQLException {
    if (!values(connection, "PRAGMA journal_mode = WAL").contains("wal")) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "SQLite cannot keep a write-ahead log here; the file must be on a local disk",
          null);
    }
  }

  private static void refuseNewerFormat(Connection connection, SqlCall call) throws SQLException {
    if (format(connection) > FORMAT) {
      throw call.failure(
          Code.INVALID_ARGUMENT,
          "The SQLite file was written by a newer version of SyncGuard, or by something else",
          null);
    }
  }

  private static int format(Connection connection) throws SQLException {
    return Integer.parseInt(values(connection, "PRAGMA user_version").iterator().next());
  }

  private static Set<String> values(Connection connection, String sql) throws SQLException {
    Set<String> values = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }
}
