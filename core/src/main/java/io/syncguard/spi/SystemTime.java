package io.syncguard.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This machine's clocks, and one daemon thread, which ends when it has been idle, for timers. */
final class SystemTime implements TimeSource {

  private static final Logger log = LoggerFactory.getLogger(TimeSource.class);
  private static final Duration IDLE_THREAD_LIVES = Duration.ofSeconds(30);

  static final SystemTime INSTANCE = new SystemTime();

  private final ScheduledThreadPoolExecutor timers;

  private SystemTime() {
    timers =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "syncguard-timer");
              thread.setDaemon(true);
              return thread;
            });
    timers.setRemoveOnCancelPolicy(true);
    timers.setKeepAliveTime(IDLE_THREAD_LIVES.toNanos(), TimeUnit.NANOSECONDS);
    timers.allowCoreThreadTimeOut(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long currentTimeMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long currentTimeNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  @Override
  public Timer schedule(Runnable task, Duration delay) {
    Future<?> future =
        timers.schedule(
            () -> runLogged(task), TimeSource.saturatedNanos(delay), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      log.warn("A timer's task failed", e);
    }
  }

  @Override
  public boolean await(Semaphore permits, long nanos) throws InterruptedException {
    return permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
  }
}
