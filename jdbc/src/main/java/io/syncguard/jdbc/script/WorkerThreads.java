package io.syncguard.jdbc.script;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.Workers;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for a database on behalf of asynchronous callers. They keep no JVM alive
 * and end when they are idle.
 */
public final class WorkerThreads implements Workers, AutoCloseable {

  private static final long IDLE_SECONDS = 10;

  /** At most so many tasks wait for a thread, as a database that hangs may keep all threads. */
  private static final int MOST_WAITING = 10_000;

  private final ThreadPoolExecutor threads;
  private final Duration patience;

  /**
   * Returns threads that begin as they are needed.
   *
   * @param patience how long a task is worth waiting for a thread
   */
  public WorkerThreads(String name, int count, Duration patience) {
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

  @Override
  public void execute(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      throw threads.isShutdown() ? SyncGuardException.closed("The store is closed", e) : e;
    }
  }

  @Override
  public Duration patience() {
    return patience;
  }

  /** Takes no more tasks and returns at once; those that were taken are carried out. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
