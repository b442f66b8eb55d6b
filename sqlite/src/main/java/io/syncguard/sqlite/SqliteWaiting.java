package io.syncguard.sqlite;

import io.syncguard.jdbc.backend.WaitersToTell;
import io.syncguard.jdbc.backend.Waiting;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells waiters when what they wait for may be theirs. SQLite does not notify, but says cheaply
 * whether anything was committed, so one thread asks that often, and looks closer only then.
 */
final class SqliteWaiting implements Waiting {

  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);
  private static final Duration PERIOD = Duration.ofMillis(2);
  private static final Duration LONGEST_END = Duration.ofSeconds(2);
  private static final SqlScript VERSION =
      new SqlScript(
          SqlScript.Effect.READ,
          List.of(new SqlScript.Statement("PRAGMA data_version", List.of(), false)));

  /** Looks at the file and tells the waiters that it concerns. */
  interface Look {
    /** Returns whether it has seen all; otherwise it looks again soon, whatever is committed. */
    boolean tell(SqliteConnection connection, WaitersToTell waiters) throws SQLException;
  }

  private final SqliteFile file;
  private final Look look;
  private final WaitersToTell waiters = new WaitersToTell();
  private final Thread thread = new Thread(this::look, "syncguard-sqlite-waiting");
  private volatile boolean closed;
  private boolean started;

  private SqliteWaiting(SqliteFile file, Look look) {
    this.file = file;
    this.look = look;
    thread.setDaemon(true);
  }

  /** Returns one for locks by their ids, that tells when one was granted. */
  static SqliteWaiting forLocks(SqliteFile file, LockGrants grants) {
    return new SqliteWaiting(file, grants);
  }

  /** Returns one for permits by their ids, that tells when one was granted a slot. */
  static SqliteWaiting forPermits(SqliteFile file, SqlScript granted) {
    return new SqliteWaiting(
        file,
        (connection, waiters) -> {
          connection.execute(
              granted,
              Map.of(),
              row -> {
                do {
                  waiters.look(row.getString("id"));
                } while (row.next());
                return true;
              });
          return true;
        });
  }

  @Override
  public void granted(String lockId, Granted grant) {
    waiters.granted(lockId, grant);
  }

  @Override
  public Optional<Watch> watch(String id, WaiterHints<Granted> hints) {
    Watch watch = waiters.add(id, hints, () -> !closed);
    LockSupport.unpark(thread);
    return Optional.of(watch);
  }

  /** Begins to look. Most waiters get what they want at once, and need no thread. */
  @Override
  public void listen() {
    synchronized (this) {
      if (!started && !closed) {
        started = true;
        thread.start();
      }
    }
  }

  private void look() {
    while (!closed) {
      try (SqliteConnection connection = file.connect("NORMAL")) {
        lookWith(connection);
      } catch (SQLException | RuntimeException e) {
        log.debug("The SQLite file could not be looked at; trying again", e);
        waiters.lookAll();
        LockSupport.parkNanos(PERIOD.multipliedBy(100).toNanos());
      }
    }
  }

  private void lookWith(SqliteConnection connection) throws SQLException {
    @Nullable Long seen = null;
    while (!closed) {
      if (waiters.isEmpty()) {
        LockSupport.park(this);
        continue;
      }
      Long version = connection.execute(VERSION, Map.of(), row -> row.getLong(1));
      if (!Objects.equals(version, seen)) {
        seen = look.tell(connection, waiters) ? version : null;
      }
      LockSupport.parkNanos(this, PERIOD.toNanos());
    }
  }

  /**
   * Blocks until the thread has left the file, but not for long: the application may delete the
   * file next. An interrupt is kept for later.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    LockSupport.unpark(thread);
    if (thread != Thread.currentThread()) {
      awaitEnd();
    }
  }

  private void awaitEnd() {
    long deadline = System.nanoTime() + LONGEST_END.toNanos();
    boolean interrupted = false;
    while (thread.isAlive()) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (leftMs <= 0) {
        break;
      }
      try {
        thread.join(leftMs);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
