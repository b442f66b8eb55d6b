package io.syncguard.sql;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for a database on behalf of asynchronous callers. They keep no JVM alive
 * and end when they are idle.
 */
final class Workers implements Executor, AutoCloseable {

  private static final long IDLE_SECONDS = 10;

  /** So many tasks wait for a thread at the most, as a database that hangs may keep all threads. */
  private static final int MOST_WAITING = 10_000;

  private final ThreadPoolExecutor threads;
  private final Duration patience;

  /**
   * Returns workers that begin as they are needed.
   *
   * @param patience how long a task is worth waiting for a thread
   */
  Workers(String name, int count, Duration patience) {
    this.patience = patience;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Has a thread carry out the task, and returns at once.
   *
   * @throws RejectedExecutionException if too many wait already
   * @throws SyncGuardException that is not transient if this is closed
   */
  @Override
  public void execute(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      throw threads.isShutdown() ? SyncGuardException.closed("The store is closed", e) : e;
    }
  }

  /** Returns how long a task is worth waiting for a thread. */
  Duration patience() {
    return patience;
  }

  /** Takes no more tasks and returns at once; those that were taken are carried out. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
