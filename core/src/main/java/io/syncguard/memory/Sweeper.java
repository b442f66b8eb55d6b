package io.syncguard.memory;

import io.syncguard.spi.TimeSource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has expired locks forgotten from time to time, while there are any locks. It does not keep a
 * store in memory that nobody uses any more.
 */
final class Sweeper {

  /** How long an expired lock is remembered, so that a late release is told that it had expired. */
  static final long KEEP_EXPIRED_MS = 5000;

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final TimeSource time;
  private final WeakReference<MemoryLocks> locks;
  private final AtomicBoolean running = new AtomicBoolean();

  Sweeper(TimeSource time, MemoryLocks locks) {
    this.time = time;
    this.locks = new WeakReference<>(locks);
  }

  void start() {
    if (!running.get() && running.compareAndSet(false, true)) {
      time.schedule(this::sweep, INTERVAL);
    }
  }

  private void sweep() {
    running.set(false);
    MemoryLocks swept = locks.get();
    if (swept != null && swept.sweep()) {
      start();
    }
  }
}
