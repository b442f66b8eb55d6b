package io.syncguard.postgresql.connection;

import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.spi.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what takes too long or was called off: first the database is told to give up, because it is
 * then known to have done nothing; if it does not answer to that, the connection is cut. One thread
 * looks at all calls now and then, which costs a call next to nothing, unlike a timer or a socket
 * timeout for each.
 */
public final class Watchdog implements AutoCloseable {

  private static final Logger log =
      LoggerFactory.getLogger("io.syncguard.postgresql.PostgresStore");
  private static final Duration PERIOD = Duration.ofMillis(50);

  /** So long before the end of a call the database is told, and a quarter of a shorter time. */
  private static final Duration LONGEST_GRACE = Duration.ofMillis(500);

  /** So long the database has at least to answer that. */
  private static final Duration SHORTEST_GRACE = Duration.ofMillis(250);

  private static final int IDLE_PERIODS = 100;

  /** Longer than any call that was under way when this was closed takes to be cut. */
  private static final Duration MARGIN_AFTER_CLOSING = Duration.ofSeconds(1);

  private final Set<Watched> calls = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean started = new AtomicBoolean();
  private final long longestNanos;
  private final Consumer<Connections.Taken> putBack;
  private final ThreadFactory threads;
  private volatile @Nullable Thread thread;
  private volatile boolean asleep;
  private volatile boolean closed;
  private volatile long endsAt;

  /**
   * Watches calls that take at most this long.
   *
   * @param putBack takes the connections of calls that worked; all others go back to their source
   */
  public Watchdog(Duration longest, Consumer<Connections.Taken> putBack) {
    this(longest, putBack, Thread::new);
  }

  public Watchdog(Duration longest, Consumer<Connections.Taken> putBack, ThreadFactory threads) {
    this.longestNanos =
        Math.min(Long.MAX_VALUE / 4, TimeSource.saturatedNanos(longest))
            + MARGIN_AFTER_CLOSING.toNanos();
    this.putBack = putBack;
    this.threads = threads;
  }

  /**
   * Watches a call of this thread until it is closed, and returns at once. Closing gives the
   * connection back.
   *
   * @param deadline when its time is over, by {@link System#nanoTime}
   */
  public Watched watch(Connections.Taken taken, SqlCall call, long deadline) {
    Watched watched = new Watched(taken, call, deadline);
    calls.add(watched);
    if (!started.get()) {
      begin();
    } else if (asleep) {
      LockSupport.unpark(thread);
    }
    return watched;
  }

  /** Where no thread can be started, the next call tries again; this one goes on until then. */
  private void begin() {
    if (started.compareAndSet(false, true)) {
      try {
        thread = start(this::watchUntilClosed, "syncguard-postgres-watchdog");
      } catch (RuntimeException | Error e) {
        started.set(false);
        log.warn("No thread can be started to end calls of PostgreSQL that take too long", e);
      }
    }
  }

  private void watchUntilClosed() {
    try {
      watch();
    } finally {
      started.set(false);
    }
    // It may have come just before, and have relied on this thread.
    if (isNeeded()) {
      begin();
    }
  }

  /** A call under way when this is closed may have a connection that nothing else would cut. */
  private boolean isNeeded() {
    return !closed || (!calls.isEmpty() && endsAt - System.nanoTime() > 0);
  }

  private void watch() {
    int idlePeriods = 0;
    while (isNeeded()) {
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
      calls.forEach(call -> endIfDue(call, now));
    }
  }

  /** A call that cannot be ended now, because no thread can be started, is left to a later look. */
  private static void endIfDue(Watched call, long now) {
    try {
      call.endIfDue(now);
    } catch (RuntimeException | Error e) {
      log.debug("A call of PostgreSQL that takes too long could not be ended; trying again", e);
    }
  }

  /** Returns at once. What is under way is watched until its time is over. */
  @Override
  public void close() {
    if (!closed) {
      endsAt = System.nanoTime() + longestNanos;
      closed = true;
    }
    LockSupport.unpark(thread);
  }

  private Thread start(Runnable task, String name) {
    Thread starting = threads.newThread(task);
    starting.setName(name);
    starting.setDaemon(true);
    starting.start();
    return starting;
  }

  private void inBackground(Runnable task) {
    start(task, "syncguard-postgres-cancel");
  }

  /** A call that is under way. */
  public final class Watched implements AutoCloseable {

    private final Connections.Taken taken;
    private final Connection connection;
    private final @Nullable Thread caller;
    private final long cancelAt;
    private final long grace;
    private final CountDownLatch told = new CountDownLatch(1);
    private volatile @Nullable Statement statement;
    private boolean cancelled;
    private boolean worked;

    /** Whether the call is over, so that what is told now would meet the connection's next user. */
    private boolean over;

    private long cutAt;
    private boolean cut;

    /** The call, and the thread that cuts the connection; the last of them gives it back. */
    private int users = 1;

    private Watched(Connections.Taken taken, SqlCall call, long deadline) {
      this.taken = taken;
      this.connection = taken.connection();
      this.caller = call.isInterruptible() ? Thread.currentThread() : null;
      long allowed = Math.max(0, deadline - System.nanoTime());
      long lead = Math.min(LONGEST_GRACE.toNanos(), allowed / 4);
      this.cancelAt = deadline - lead;
      this.grace = Math.max(SHORTEST_GRACE.toNanos(), lead);
    }

    /** Notes what is to be cancelled where the connection cannot be told to. */
    public void runs(Statement started) {
      statement = started;
    }

    /** Notes that the database did what was asked, so that the connection is as it was. */
    public synchronized void worked() {
      worked = true;
    }

    /** Returns whether the database was told to give up. */
    public synchronized boolean isCancelled() {
      return cancelled;
    }

    /** Returns whether the connection was cut because the database did not answer. */
    public synchronized boolean isCut() {
      return cut;
    }

    /**
     * Tells the database to give up, over another connection, and returns at once. Does nothing if
     * the call is over.
     */
    public synchronized void cancel() {
      if (!cancelled && !over) {
        cancelled = true;
        cutAt = System.nanoTime() + grace;
        try {
          inBackground(this::tellDatabase);
        } catch (RuntimeException | Error e) {
          // The database is not told, so no call must wait for that; the connection is cut instead.
          told.countDown();
          log.warn("No thread can be started to tell PostgreSQL to give up", e);
        }
      }
    }

    private void tellDatabase() {
      try {
        // Unlike the statement's own, this one does not keep the call until the server answers.
        if (connection.isWrapperFor(PGConnection.class)) {
          connection.unwrap(PGConnection.class).cancelQuery();
        } else {
          Statement started = statement;
          if (started != null) {
            started.cancel();
          }
        }
      } catch (SQLException | RuntimeException e) {
        log.debug("The database could not be told to give up", e);
      } finally {
        told.countDown();
      }
    }

    private void endIfDue(long now) {
      if (now - cancelAt >= 0 || (caller != null && caller.isInterrupted())) {
        cancel();
      }
      if (beginToCut(now)) {
        try {
          inBackground(this::cut);
        } catch (RuntimeException | Error e) {
          undoCut();
          throw e;
        }
      }
    }

    private void undoCut() {
      synchronized (this) {
        cut = false;
      }
      leave();
    }

    private synchronized boolean beginToCut(long now) {
      if (!cancelled || cut || users == 0 || now - cutAt < 0) {
        return false;
      }
      cut = true;
      users++;
      return true;
    }

    private void cut() {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException | RuntimeException e) {
        log.debug("A connection could not be cut", e);
      } finally {
        told.countDown();
        leave();
      }
    }

    /**
     * A database that is being told to give up must not take the next statement for this one, and a
     * connection that is being cut must not be the next caller's.
     */
    @Override
    public void close() {
      if (endsWhileDatabaseIsTold()) {
        awaitTold();
      }
      calls.remove(this);
      leave();
    }

    private synchronized boolean endsWhileDatabaseIsTold() {
      over = true;
      return cancelled && !cut;
    }

    private void leave() {
      boolean last;
      boolean reusable;
      synchronized (this) {
        users--;
        last = users == 0;
        reusable = worked && !cancelled;
      }
      if (last && reusable) {
        putBack.accept(taken);
      } else if (last) {
        taken.giveBack();
      }
    }

    private void awaitTold() {
      boolean interrupted = false;
      while (true) {
        try {
          told.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
