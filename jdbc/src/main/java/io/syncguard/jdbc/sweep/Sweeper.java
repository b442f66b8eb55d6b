package io.syncguard.jdbc.sweep;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.jdbc.script.ScriptRunner;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets what has expired and what dead clients have left, in the background. A lock is kept a
 * while after it expired, so that its late holder is told so.
 *
 * <p>A store looks when it is opened whether anything is due. The rows themselves tell whether
 * other clients have swept, so nothing is noted, and processes that live for a moment only do their
 * share. A store that stays open sweeps once in a while after it has written, and the first time at
 * once if it could not look when it was opened.
 */
public final class Sweeper implements AutoCloseable {

  static final Duration KEEP_EXPIRED = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /** How long the opening or closing of a store is held up. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** So few that other clients need not wait long for their turn. */
  private static final int BATCH = 200;

  private static final Map<String, Object> PARAMETERS =
      Map.of("keep_ms", KEEP_EXPIRED.toMillis(), "batch", BATCH);

  private final ScriptRunner runner;
  private final SweepScripts scripts;
  private final TimeSource time;
  private final Executor executor;
  private final AtomicLong dueAt;
  private volatile @Nullable Future<?> sweeping;
  private volatile boolean closed;

  public Sweeper(ScriptRunner runner, SweepScripts scripts, TimeSource time, Executor executor) {
    this.runner = runner;
    this.scripts = scripts;
    this.time = time;
    this.executor = executor;
    this.dueAt = new AtomicLong(time.nanoTime());
  }

  /** Blocks while it looks whether anything is due, and begins to sweep if so. */
  public void opening() {
    dueAt.set(time.nanoTime() + pause());
    try {
      if (isAnythingDue()) {
        begin();
      }
    } catch (SyncGuardException e) {
      log.debug("It could not be seen whether anything is to be swept", e);
    }
  }

  /** Begins to sweep if it is time to, and returns at once. */
  void written() {
    long due = dueAt.get();
    if (time.nanoTime() - due >= 0 && dueAt.compareAndSet(due, time.nanoTime() + pause())) {
      begin();
    }
  }

  private boolean isAnythingDue() {
    Boolean due =
        runner.run(
            scripts.due(),
            PARAMETERS,
            SqlCall.of(Subject.NONE, Call.plain().within(PATIENCE)),
            row -> row.getBoolean("due"));
    return due != null && due;
  }

  private void begin() {
    FutureTask<?> task = new FutureTask<>(this::sweepQuietly, null);
    try {
      executor.execute(task);
      sweeping = task;
    } catch (RuntimeException | Error e) {
      // The operation that this follows has succeeded, and must not fail for lack of a thread.
      log.debug("The store is closed or no thread can be started, so nothing is swept now", e);
    }
  }

  private void sweepQuietly() {
    try {
      sweep();
      runner.scrub();
    } catch (SyncGuardException e) {
      log.debug("Not all could be swept; the next write tries again", e);
    }
  }

  /**
   * Blocks until nothing is left to sweep, or until all has had a batch if the store is closed
   * meanwhile; returns how many rows and names of semaphores were.
   */
  public long sweep() {
    long total = 0;
    boolean more;
    do {
      more = false;
      for (SqlScript script : scripts.sweeps()) {
        long swept = sweepBatch(script);
        total += swept;
        more |= swept >= BATCH;
      }
    } while (more && !closed);
    return total;
  }

  private long sweepBatch(SqlScript script) {
    Long swept = runner.run(script, PARAMETERS, SqlCall.ofStore(), row -> row.getLong("swept"));
    return swept == null ? 0 : swept;
  }

  /** Not all clients at the same moment. */
  private static long pause() {
    return PERIOD.toNanos() / 2 + ThreadLocalRandom.current().nextLong(PERIOD.toNanos());
  }

  /**
   * Blocks for a moment at the most, so that what was begun is done. What takes longer is called
   * off, as it may wait for other clients for longer than the closing may.
   */
  @Override
  public void close() {
    closed = true;
    Future<?> begun = sweeping;
    if (begun == null) {
      return;
    }
    try {
      begun.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException | CancellationException e) {
      log.debug("Not all could be swept before the store was closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      begun.cancel(true);
    }
  }
}
