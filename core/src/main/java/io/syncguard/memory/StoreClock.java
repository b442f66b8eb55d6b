package io.syncguard.memory;

import io.syncguard.spi.TimeSource;
import java.util.concurrent.TimeUnit;

/** The store's own clock: wall time when it was opened, and from there on only forward. */
final class StoreClock {

  private final TimeSource time;
  private final long openedAtMs;
  private final long openedAtNanos;

  StoreClock(TimeSource time) {
    this.time = time;
    this.openedAtMs = time.currentTimeMillis();
    this.openedAtNanos = time.nanoTime();
  }

  long nowMs() {
    return openedAtMs + TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - openedAtNanos);
  }

  /** Returns nanoseconds from the same beginning as {@link #nowMs}. */
  long nowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(openedAtMs) + time.nanoTime() - openedAtNanos;
  }

  TimeSource time() {
    return time;
  }
}
