package io.syncguard.firestore;

import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A wall clock that stands still unless it is moved or told to flow, so that a slow machine does
 * not let locks expire under a test. Thread-safe.
 */
final class StillClock implements TimeSource {

  private final AtomicReference<Runnable> intervention = new AtomicReference<>(() -> {});
  private long standsAtMs = System.currentTimeMillis();
  private long flowsSinceNanos;
  private boolean flows;

  synchronized void advance(Duration duration) {
    standsAtMs += duration.toMillis();
  }

  /** From now on this goes as fast as {@link System#nanoTime}. */
  synchronized void flow() {
    flows = true;
    flowsSinceNanos = System.nanoTime();
  }

  synchronized void stop() {
    standsAtMs = now();
    flows = false;
  }

  /** Runs a task when this is looked at next: an operation has read then, and is to write. */
  void atTheNextLook(Runnable task) {
    intervention.set(task);
  }

  @Override
  public long currentTimeMillis() {
    intervention.getAndSet(() -> {}).run();
    return now();
  }

  private synchronized long now() {
    return flows
        ? standsAtMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - flowsSinceNanos)
        : standsAtMs;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Timer schedule(Runnable task, Duration delay) {
    return TimeSource.system().schedule(task, delay);
  }

  @Override
  public boolean await(Semaphore permits, long nanos) throws InterruptedException {
    return TimeSource.system().await(permits, nanos);
  }
}
