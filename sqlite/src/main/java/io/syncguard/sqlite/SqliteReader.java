package io.syncguard.sqlite;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.spi.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out scripts on a SQLite file that this user may only read. Each has a connection of its
 * own, because how to read depends on whether other clients have the file open at the moment.
 */
final class SqliteReader implements ScriptRunner {

  static final String ONLY_READABLE =
      "This user may only read the SQLite file; it and its directory must be writable for all else";

  private static final int ATTEMPTS = 10;

  /** Reads something. */
  interface Reading<T> {
    @Nullable T from(SqliteConnection connection) throws SQLException;
  }

  /** What changes when other clients come, write and go. */
  private record Stamp(boolean log, FileTime written, long size) {}

  private final SqliteFile file;
  private final TimeSource time;
  private volatile boolean closed;

  SqliteReader(SqliteFile file, TimeSource time) {
    this.file = file;
    this.time = time;
  }

  @Override
  public <T> @Nullable T run(
      SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader) {
    call.throwIfAborted();
    if (closed) {
      throw SyncGuardException.closed("The SQLite store is closed", null);
    }
    if (script.effect() != SqlScript.Effect.READ) {
      throw call.failure(Code.AUTH_FAILED, ONLY_READABLE, null);
    }
    Map<String, Object> withTime = SqliteRunner.withTime(parameters, time);
    return read(call, connection -> connection.execute(script, withTime, reader));
  }

  /**
   * Returns what was read while the file did not change. With a log, SQLite sees to that. Without
   * one no client has the file open, and SQLite takes it as it is; so what was read counts only if
   * no client came meanwhile.
   */
  <T> @Nullable T read(SqlCall call, Reading<T> reading) {
    @Nullable SQLException failure = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      Stamp before = stamp(call);
      @Nullable T result = null;
      failure = null;
      try (SqliteConnection connection = file.connectToRead(before.log)) {
        result = reading.from(connection);
      } catch (SQLException e) {
        failure = e;
      }
      boolean unchanged = before.equals(stamp(call));
      if (failure == null && (before.log || unchanged)) {
        return result;
      }
      if (failure != null && unchanged) {
        throw SqliteFailures.of(failure, call);
      }
    }
    throw call.failure(
        Code.SERVICE_UNAVAILABLE, "The SQLite file changed whenever it was read", failure);
  }

  private Stamp stamp(SqlCall call) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file.path(), BasicFileAttributes.class);
      return new Stamp(file.hasLog(), attributes.lastModifiedTime(), attributes.size());
    } catch (IOException e) {
      throw call.failure(Code.SERVICE_UNAVAILABLE, "The SQLite file cannot be looked at", e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
