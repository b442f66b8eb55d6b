package io.syncguard.cli.hold;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockHandle;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Extends a lock until it is told to stop. The handle's own auto-extension ends only with a
 * release, and what it has under way then could undo an extension that is meant to be the last.
 */
public final class Extender {

  /** Two extensions may fail before the lock is lost. */
  private static final int EXTENSIONS_PER_LEASE = 3;

  private static final int RETRIES_PER_LEASE = 10;

  private final LockHandle lock;
  private final Duration lease;
  private final long end;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, Extender::daemon);

  /** Begins to extend, up to this time from now. */
  public Extender(LockHandle lock, Duration lease, Duration atMost) {
    this.lock = lock;
    this.lease = lease;
    this.end = System.nanoTime() + TimeSource.saturatedNanos(atMost);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    extendIn(lease.dividedBy(EXTENSIONS_PER_LEASE));
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "syncguard-extender");
    thread.setDaemon(true);
    return thread;
  }

  private void extendIn(Duration delay) {
    try {
      var unused = thread.schedule(this::extend, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Stopped meanwhile.
    }
  }

  private void extend() {
    Duration left = Duration.ofNanos(end - System.nanoTime());
    boolean last = left.compareTo(lease) <= 0;
    if (left.toMillis() < 1) {
      return;
    }
    try {
      boolean extended = lock.extend(last ? left : lease).isExtended();
      if (extended && !last) {
        extendIn(lease.dividedBy(EXTENSIONS_PER_LEASE));
      }
    } catch (SyncGuardException e) {
      extendIn(lease.dividedBy(RETRIES_PER_LEASE));
    }
  }

  /** Blocks until an extension that is under way has ended; none begins after it. */
  public void stop() throws InterruptedException {
    thread.shutdown();
    while (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
      // The store's own time-out ends it.
    }
  }
}
