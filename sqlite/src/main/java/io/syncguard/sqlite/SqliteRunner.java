package io.syncguard.sqlite;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.spi.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out scripts on a SQLite file. SQLite has one writer at a time, so the threads of this
 * process take turns here instead of having SQLite try again and again.
 */
final class SqliteRunner implements ScriptRunner {

  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);

  private static final Duration PATIENCE_WITH_READERS = Duration.ofMillis(100);

  /** How often a waiting call looks whether it was called off; SQLite listens to nothing. */
  private static final Duration SLICE = Duration.ofMillis(100);

  private final SqliteFile file;
  private final TimeSource time;
  private final ReentrantLock writing = new ReentrantLock(true);
  private final ReentrantLock reading = new ReentrantLock();

  /** Flushes what it commits. */
  private final SqliteConnection durable;

  /** Leaves the flushing to the next durable write; what it committed is in order until then. */
  private final SqliteConnection relaxed;

  private final SqliteConnection reader;
  private volatile boolean closed;

  SqliteRunner(SqliteFile file, TimeSource time) throws SQLException {
    this.file = file;
    this.time = time;
    this.durable = file.connect("FULL");
    this.relaxed = file.connect("NORMAL");
    this.reader = file.connect("NORMAL");
  }

  @Override
  public <T> @Nullable T run(
      SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader) {
    call.throwIfAborted();
    ReentrantLock turn = script.effect() == SqlScript.Effect.READ ? reading : writing;
    awaitTurn(turn, call);
    try {
      if (closed) {
        throw SyncGuardException.closed("The SQLite store is closed", null);
      }
      T answer = step(script, parameters, call, reader);
      for (Optional<SqlScript> next = script.otherwise();
          answer == null && next.isPresent();
          next = next.get().otherwise()) {
        answer = step(next.get(), parameters, call, reader);
      }
      return answer;
    } catch (SQLException e) {
      throw SqliteFailures.of(e, call);
    } finally {
      turn.unlock();
    }
  }

  private <T> @Nullable T step(
      SqlScript script, Map<String, Object> parameters, SqlCall call, RowReader<T> reader)
      throws SQLException {
    return switch (script.effect()) {
      case READ -> this.reader.execute(script, withTime(parameters, time), reader);
      case WRITE -> write(durable, script, parameters, call, reader);
      case RELAXED_WRITE -> write(relaxed, script, parameters, call, reader);
    };
  }

  /** The log has copies of pages as they were. No client can write meanwhile, so it is short. */
  @Override
  public void scrub() {
    SqlCall call = SqlCall.ofStore();
    awaitTurn(writing, call);
    try {
      if (!closed) {
        relaxed.emptyLog(PATIENCE_WITH_READERS);
      }
    } catch (SQLException e) {
      throw SqliteFailures.of(e, call);
    } finally {
      writing.unlock();
    }
  }

  private void awaitTurn(ReentrantLock turn, SqlCall call) {
    long deadline = call.deadline(file.busyTimeout());
    boolean interrupted = false;
    boolean mine = false;
    try {
      while (!mine) {
        long left = Math.max(0, deadline - System.nanoTime());
        try {
          // A thread that looks up from time to time loses its place, so only those do that have
          // to.
          boolean cancellable = call.signal() != CancelSignal.never();
          mine = turn.tryLock(cancellable ? slice(left) : left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
          if (call.isInterruptible()) {
            throw call.failure(
                Code.ABORTED, "The thread was interrupted before the database was asked", e);
          }
        }
        if (!mine) {
          call.signal().throwIfCancelled();
        }
        if (!mine && left == 0) {
          throw call.failure(
              SqliteFailures.codeForWaiting(call),
              "Other threads or processes kept the SQLite file to themselves for too long",
              null);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Blocks until this process is the one that writes; another process may write for long. */
  private void begin(SqliteConnection connection, SqlCall call) {
    long deadline = call.deadline(file.busyTimeout());
    while (true) {
      long left = deadline - System.nanoTime();
      try {
        connection.begin(Duration.ofNanos(slice(left)));
        return;
      } catch (SQLException e) {
        if (!SqliteFailures.isBusy(e) || deadline - System.nanoTime() <= 0) {
          throw SqliteFailures.whileWaiting(e, call);
        }
        call.throwIfAborted();
      }
    }
  }

  private static long slice(long nanos) {
    return Math.max(0, Math.min(nanos, SLICE.toNanos()));
  }

  private <T> @Nullable T write(
      SqliteConnection connection,
      SqlScript script,
      Map<String, Object> parameters,
      SqlCall call,
      RowReader<T> reader)
      throws SQLException {
    begin(connection, call);
    T result;
    try {
      call.throwIfAborted();
      result = connection.execute(script, withTime(parameters, time), reader);
    } catch (SQLException | RuntimeException e) {
      undo(connection);
      throw e;
    }
    try {
      connection.commit();
    } catch (SQLException e) {
      undo(connection);
      throw SqliteFailures.whileCommitting(e, call);
    }
    call.throwIfCancelledMeanwhile();
    return result;
  }

  /** Returns the parameters with the time, which SQLite asks the client for. */
  static Map<String, Object> withTime(Map<String, Object> parameters, TimeSource time) {
    Map<String, Object> withTime = new HashMap<>(parameters);
    withTime.put("now_ms", time.currentTimeMillis());
    withTime.put("now_ns", time.currentTimeNanos());
    return withTime;
  }

  private static void undo(SqliteConnection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      log.debug("SQLite had rolled back by itself", e);
    }
  }

  @Override
  public void close() {
    writing.lock();
    reading.lock();
    try {
      if (!closed) {
        closed = true;
        for (SqliteConnection connection : new SqliteConnection[] {reader, relaxed, durable}) {
          closeQuietly(connection);
        }
      }
    } finally {
      reading.unlock();
      writing.unlock();
    }
  }

  private static void closeQuietly(SqliteConnection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.debug("A SQLite connection could not be closed", e);
    }
  }
}
