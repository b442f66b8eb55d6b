package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets what the dead have left, in the background, while there is something to do. A lock is
 * kept a while after it expired, so that its late holder is told so.
 */
final class Sweeper {

  static final Duration KEEP_EXPIRED = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final Duration KEEP_WAITERS = Duration.ofHours(1);
  private static final int BATCH = 1000;

  private final ScriptRunner runner;
  private final List<Script> scripts;
  private final TimeSource time;
  private final Executor executor;
  private final AtomicLong dueAt;

  Sweeper(ScriptRunner runner, List<Script> scripts, TimeSource time, Executor executor) {
    this.runner = runner;
    this.scripts = List.copyOf(scripts);
    this.time = time;
    this.executor = executor;
    this.dueAt = new AtomicLong(time.nanoTime() + pause());
  }

  /** Begins to sweep if it is time to, and returns at once. */
  void acquiring() {
    long due = dueAt.get();
    if (time.nanoTime() - due >= 0 && dueAt.compareAndSet(due, time.nanoTime() + pause())) {
      try {
        executor.execute(this::sweepQuietly);
      } catch (RejectedExecutionException e) {
        log.debug("The store is closed, so nothing is swept", e);
      }
    }
  }

  /** Blocks until nothing is left to sweep; returns how many rows and names of semaphores were. */
  long sweep() {
    long total = 0;
    for (Script script : scripts) {
      long swept;
      do {
        swept = sweepBatch(script);
        total += swept;
      } while (swept == BATCH);
    }
    return total;
  }

  private long sweepBatch(Script script) {
    Long swept =
        runner.run(
            ScriptRunner.Effect.RELAXED_WRITE,
            script,
            Map.of(
                "keep_ms", KEEP_EXPIRED.toMillis(),
                "keep_waiters_ms", KEEP_WAITERS.toMillis(),
                "batch", BATCH),
            Call.of(null, null, CancelSignal.never()),
            row -> row.getLong("swept"));
    return swept == null ? 0 : swept;
  }

  private void sweepQuietly() {
    try {
      sweep();
    } catch (SyncGuardException e) {
      log.debug("The dead could not be swept; the next one to acquire tries again", e);
    }
  }

  /** Not all clients at the same moment. */
  private static long pause() {
    return PERIOD.toNanos() / 2 + ThreadLocalRandom.current().nextLong(PERIOD.toNanos());
  }
}
