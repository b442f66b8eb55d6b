package io.syncguard.sql;

import io.syncguard.spi.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what takes too long: first the database is told to give up, because we then know that it has
 * done nothing; if it does not answer to that, the connection is cut. One thread looks at all calls
 * now and then, which costs a call next to nothing, unlike a timer or a socket timeout for each.
 */
final class Watchdog implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);
  private static final Duration PERIOD = Duration.ofMillis(50);
  private static final Duration GRACE = Duration.ofMillis(500);
  private static final int IDLE_PERIODS = 100;

  /** Far from where a sum of nanoseconds overflows. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  private final Set<Watched> calls = ConcurrentHashMap.newKeySet();
  private final Thread thread = new Thread(this::watch, "syncguard-postgres-watchdog");
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean asleep;
  private volatile boolean closed;

  Watchdog() {
    thread.setDaemon(true);
  }

  /** Watches a call until it is closed, and returns at once. */
  Watched watch(Connection connection, Statement statement, Duration allowed) {
    long nanos = Math.min(LONGEST_NANOS, TimeSource.saturatedNanos(allowed));
    Watched call = new Watched(connection, statement, System.nanoTime() + nanos);
    calls.add(call);
    if (started.compareAndSet(false, true)) {
      thread.start();
    } else if (asleep) {
      LockSupport.unpark(thread);
    }
    return call;
  }

  private void watch() {
    int idlePeriods = 0;
    while (!closed) {
      idlePeriods = calls.isEmpty() ? idlePeriods + 1 : 0;
      if (idlePeriods > IDLE_PERIODS) {
        asleep = true;
        if (calls.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        asleep = false;
        idlePeriods = 0;
      }
      LockSupport.parkNanos(this, PERIOD.toNanos());
      long now = System.nanoTime();
      calls.forEach(call -> call.endIfLate(now));
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private static void inBackground(Runnable task) {
    Thread thread = new Thread(task, "syncguard-postgres-cancel");
    thread.setDaemon(true);
    thread.start();
  }

  /** A call that is under way. */
  final class Watched implements AutoCloseable {

    private final Connection connection;
    private final Statement statement;
    private final long deadline;
    private volatile boolean late;
    private volatile boolean cut;

    private Watched(Connection connection, Statement statement, long deadline) {
      this.connection = connection;
      this.statement = statement;
      this.deadline = deadline;
    }

    /** Returns whether the database was told to give up because time was over. */
    boolean isLate() {
      return late;
    }

    /** Returns whether the connection was cut because the database did not answer. */
    boolean isCut() {
      return cut;
    }

    /** Tells the database to give up, and returns at once: it takes a connection of its own. */
    void cancel() {
      inBackground(
          () -> {
            try {
              statement.cancel();
            } catch (SQLException e) {
              log.debug("The database could not be told to give up", e);
            }
          });
    }

    private void endIfLate(long now) {
      if (!late && now - deadline >= 0) {
        late = true;
        cancel();
      }
      if (!cut && now - deadline >= GRACE.toNanos()) {
        cut = true;
        inBackground(
            () -> {
              try {
                if (calls.contains(this)) {
                  connection.abort(Runnable::run);
                }
              } catch (SQLException e) {
                log.debug("A connection could not be cut", e);
              }
            });
      }
    }

    @Override
    public void close() {
      calls.remove(this);
    }
  }
}
