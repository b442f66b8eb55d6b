package io.syncguard.spi;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** What everything in core measures time by, so that a test can move it. Thread-safe. */
public interface TimeSource {

  /** Returns the time source of this machine. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }

  /** Returns nanoseconds that only go forward, as {@link System#nanoTime}. */
  long nanoTime();

  /** Returns the wall clock in milliseconds, as {@link System#currentTimeMillis}. */
  long currentTimeMillis();

  /** Returns the wall clock in nanoseconds since 1970, as finely as it is known. */
  default long currentTimeNanos() {
    return TimeUnit.MILLISECONDS.toNanos(currentTimeMillis());
  }

  /**
   * Schedules a task, which must be short, in a thread that keeps no JVM alive; returns at once.
   */
  Timer schedule(Runnable task, Duration delay);

  /**
   * Blocks until a permit is there or the time is over.
   *
   * @return whether a permit was taken
   */
  boolean await(Semaphore permits, long nanos) throws InterruptedException;

  /** A scheduled task that can still be called off. */
  interface Timer {

    /** Calls the task off if it has not begun, and returns at once. */
    void cancel();
  }

  /** Returns the duration in nanoseconds, or the most a long can hold. */
  static long saturatedNanos(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(duration);
  }
}
