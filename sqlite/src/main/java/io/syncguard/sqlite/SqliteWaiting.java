package io.syncguard.sqlite;

import io.syncguard.jdbc.backend.Waiting;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Watch;
import io.syncguard.spi.Watches;
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

  /** Looks at the file and gives hints to the waiters that it concerns. */
  interface Look {
    void hint(SqliteConnection connection, Watches<String> watches) throws SQLException;
  }

  private final SqliteFile file;
  private final Look look;
  private final Watches<String> watches = new Watches<>();
  private final Thread thread = new Thread(this::look, "syncguard-sqlite-waiting");
  private volatile boolean closed;
  private boolean started;

  private SqliteWaiting(SqliteFile file, Look look) {
    this.file = file;
    this.look = look;
    thread.setDaemon(true);
  }

  /** Returns one for keys, that tells when there is no live lock on one. */
  static SqliteWaiting forLocks(SqliteFile file, SqlScript findByKey, TimeSource time) {
    return new SqliteWaiting(
        file,
        (connection, watches) -> {
          for (String key : watches.keys()) {
            long nowMs = time.currentTimeMillis();
            Boolean live =
                connection.execute(
                    findByKey,
                    Map.of("key", key, "now_ms", nowMs),
                    row -> Liveness.isLive(row.getLong("expires_at_ms"), nowMs));
            if (live == null || !live) {
              watches.hint(key);
            }
          }
        });
  }

  /** Returns one for permits by their ids, that tells when one was granted a slot. */
  static SqliteWaiting forPermits(SqliteFile file, SqlScript granted) {
    return new SqliteWaiting(
        file,
        (connection, watches) ->
            connection.execute(
                granted,
                Map.of(),
                row -> {
                  do {
                    watches.hint(row.getString("id"));
                  } while (row.next());
                  return true;
                }));
  }

  @Override
  public Optional<Watch> watch(String storageKey, Runnable hint) {
    Watch watch = watches.add(storageKey, hint, () -> !closed);
    start();
    LockSupport.unpark(thread);
    return Optional.of(watch);
  }

  private synchronized void start() {
    if (!started && !closed) {
      started = true;
      thread.start();
    }
  }

  private void look() {
    while (!closed) {
      try (SqliteConnection connection = file.connect("NORMAL")) {
        lookWith(connection);
      } catch (SQLException | RuntimeException e) {
        log.debug("The SQLite file could not be looked at; trying again", e);
        watches.hintAll();
        LockSupport.parkNanos(PERIOD.multipliedBy(100).toNanos());
      }
    }
  }

  private void lookWith(SqliteConnection connection) throws SQLException {
    @Nullable Long seen = null;
    while (!closed) {
      if (watches.isEmpty()) {
        LockSupport.park(this);
        continue;
      }
      Long version = connection.execute(VERSION, Map.of(), row -> row.getLong(1));
      if (!Objects.equals(version, seen)) {
        seen = version;
        look.hint(connection, watches);
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
