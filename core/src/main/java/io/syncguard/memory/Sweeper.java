package io.syncguard.memory;

import io.syncguard.spi.TimeSource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has what expired forgotten from time to time, while there is anything. It does not keep a store
 * in memory that is not used any more.
 */
final class Sweeper {

  /** How long an expired lock is remembered, so that a late release is told that it had expired. */
  static final long KEEP_EXPIRED_MS = 5000;

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final TimeSource time;
  private final WeakReference<MemoryPart> swept;
  private final AtomicBoolean running = new AtomicBoolean();

  Sweeper(TimeSource time, MemoryPart swept) {
    this.time = time;
    this.swept = new WeakReference<>(swept);
  }

  void start() {
    if (!running.get() && running.compareAndSet(false, true)) {
      time.schedule(this::sweep, INTERVAL);
    }
  }

  private void sweep() {
    running.set(false);
    MemoryPart present = swept.get();
    if (present != null && present.sweep()) {
      start();
    }
  }
}
