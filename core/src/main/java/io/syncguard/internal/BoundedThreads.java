package io.syncguard.internal;

import io.syncguard.SyncGuard;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads, so many at the most, that end when they have been idle. Every task is taken and
 * none is lost: what finds no thread waits for one, also where the machine has no more threads to
 * give.
 */
public final class BoundedThreads implements Executor {

  private static final Logger log = LoggerFactory.getLogger(SyncGuard.class);
  private static final Duration IDLE_THREAD_LIVES = Duration.ofSeconds(10);
  private static final Duration UNTIL_ANOTHER_START = Duration.ofMillis(100);

  private final String name;
  private final TaskQueue waiting = new TaskQueue();
  private final ThreadPoolExecutor threads;

  /** Threads of this name. */
  public BoundedThreads(String name, int most) {
    this(name, most, Thread::new);
  }

  BoundedThreads(String name, int most, ThreadFactory factory) {
    this.name = name;
    this.threads =
        new ThreadPoolExecutor(
            0,
            most,
            IDLE_THREAD_LIVES.toMillis(),
            TimeUnit.MILLISECONDS,
            waiting,
            task -> daemon(factory.newThread(task)),
            (task, full) -> waiting.add(task));
  }

  private Thread daemon(Thread thread) {
    thread.setName(name);
    thread.setDaemon(true);
    return thread;
  }

  /** Runs it soon and returns at once; never throws. What the task throws is logged. */
  @Override
  public void execute(Runnable task) {
    Runnable logged = () -> runLogged(task);
    try {
      threads.execute(logged);
    } catch (RuntimeException | Error e) {
      log.warn("A thread {} could not be started; its task waits for another one", name, e);
      waiting.add(logged);
      startLater();
    }
  }

  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      log.warn("A callback failed", e);
    }
  }

  /** A thread that runs takes what waits; where none does, one must be started. */
  private void startLater() {
    if (threads.getPoolSize() > 0) {
      return;
    }
    try {
      TimeSource.system().schedule(this::start, UNTIL_ANOTHER_START);
    } catch (RuntimeException | Error e) {
      log.warn("No timer could be started; what waits for a thread {} waits for the next", name, e);
    }
  }

  private void start() {
    try {
      threads.execute(() -> {});
    } catch (RuntimeException | Error e) {
      startLater();
    }
  }

  /** Takes what an idle thread is waiting for; anything else has a thread started, if it may be. */
  private static final class TaskQueue extends LinkedTransferQueue<Runnable> {

    private static final long serialVersionUID = 1;

    @Override
    public boolean offer(Runnable task) {
      return tryTransfer(task);
    }

    /** Has the task wait for a thread. */
    @Override
    public boolean add(Runnable task) {
      return super.offer(task);
    }
  }
}
