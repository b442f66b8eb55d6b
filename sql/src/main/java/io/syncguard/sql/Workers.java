package io.syncguard.sql;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for a database on behalf of asynchronous callers. They keep no JVM alive
 * and end when they are idle.
 */
final class Workers implements Executor, AutoCloseable {

  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  Workers(String name, int count) {
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /** Takes no more tasks and returns at once; those that were taken are carried out. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
