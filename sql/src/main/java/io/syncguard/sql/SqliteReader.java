package io.syncguard.sql;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out scripts on a SQLite file that this user may only read. Each has a connection of its
 * own, because how to read depends on whether others have the file open at the moment.
 */
final class SqliteReader implements ScriptRunner {

  static final String ONLY_READABLE =
      "This user may only read the SQLite file; it and its directory must be writable for all else";

  private static final int ATTEMPTS = 10;

  /** Reads something. */
  interface Reading<T> {
    @Nullable T from(SqliteConnection connection) throws SQLException;
  }

  /** What changes when others come, write and go. */
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
      Effect effect,
      Script script,
      Map<String, Object> parameters,
      Call call,
      RowReader<T> reader) {
    call.throwIfAborted();
    if (closed) {
      throw SyncGuardException.closed("The SQLite store is closed", null);
    }
    if (effect != Effect.READ) {
      throw call.failure(Code.AUTH_FAILED, ONLY_READABLE, null);
    }
    Map<String, Object> withTime = new HashMap<>(parameters);
    withTime.put("now_ms", time.currentTimeMillis());
    withTime.put("now_ns", time.currentTimeNanos());
    return read(call, connection -> connection.execute(script, withTime, reader));
  }

  /**
   * Returns what was read while the file did not change. With a log, SQLite sees to that. Without
   * one nobody has the file open, and SQLite takes it as it is; so it counts only if nobody came.
   */
  <T> @Nullable T read(Call call, Reading<T> reading) {
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

  private Stamp stamp(Call call) {
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
