package io.syncguard.lock;

import io.syncguard.internal.Callbacks;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a handle's lease: extends it if asked to, and declares the lock lost shortly before
 * the lease ends. Only a handle with a loss listener or with auto-extension has one that runs
 * timers.
 */
final class LeaseKeeper {

  /**
   * An extension is due after this part of the ttl, so that two may fail before the lock is lost.
   */
  private static final int EXTENSIONS_PER_TTL = 3;

  private static final int RETRIES_PER_TTL = 10;

  private final LockHandle handle;
  private final Lease lease;
  private final TimeSource time;
  private final List<Runnable> lossListeners = new ArrayList<>();

  private boolean stopped;
  private TimeSource.@Nullable Timer lossTimer;
  private TimeSource.@Nullable Timer extensionTimer;
  private long holdEnd;

  LeaseKeeper(LockHandle handle, Lease lease, TimeSource time) {
    this.handle = handle;
    this.lease = lease;
    this.time = time;
  }

  synchronized void onLost(Runnable listener) {
    if (!stopped) {
      lossListeners.add(listener);
      armLossTimer();
    }
  }

  synchronized void autoExtend(long holdEnd) {
    this.holdEnd = holdEnd;
    lease.limitTo(holdEnd);
    if (!stopped && extensionTimer == null) {
      if (lossTimer != null) {
        lossTimer.cancel();
      }
      scheduleLossCheck();
      scheduleExtension(
          lease.remainingNanos() - nanosBetweenExtensions() * (EXTENSIONS_PER_TTL - 1));
    }
  }

  /** Ends all timers without telling anybody, because the lock is being released. */
  synchronized void stop() {
    stopped = true;
    cancelTimers();
    lossListeners.clear();
  }

  void lose() {
    List<Runnable> toTell;
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
      cancelTimers();
      toTell = List.copyOf(lossListeners);
      lossListeners.clear();
    }
    toTell.forEach(Callbacks::run);
  }

  private void cancelTimers() {
    if (lossTimer != null) {
      lossTimer.cancel();
    }
    if (extensionTimer != null) {
      extensionTimer.cancel();
    }
  }

  private void armLossTimer() {
    if (lossTimer == null) {
      scheduleLossCheck();
    }
  }

  private void scheduleLossCheck() {
    long untilMargin = lease.remainingNanos() - lease.marginNanos();
    lossTimer = time.schedule(this::checkForLoss, Duration.ofNanos(Math.max(0, untilMargin)));
  }

  private void checkForLoss() {
    synchronized (this) {
      if (stopped) {
        return;
      }
      if (lease.remainingNanos() > lease.marginNanos()) {
        scheduleLossCheck();
        return;
      }
    }
    handle.lose();
  }

  private long nanosBetweenExtensions() {
    return TimeSource.saturatedNanos(lease.ttl()) / EXTENSIONS_PER_TTL;
  }

  private void scheduleExtension(long delayNanos) {
    extensionTimer = time.schedule(this::extend, Duration.ofNanos(Math.max(0, delayNanos)));
  }

  private void extend() {
    Duration ttl;
    boolean last;
    synchronized (this) {
      Duration holdLeft = Duration.ofNanos(holdEnd - time.nanoTime());
      last = holdLeft.compareTo(lease.ttl()) <= 0;
      ttl = last ? holdLeft.truncatedTo(ChronoUnit.MILLIS) : lease.ttl();
      if (stopped || ttl.isZero() || ttl.isNegative()) {
        return;
      }
    }
    handle
        .extendAsync(ttl)
        .whenComplete(
            (result, failure) -> {
              boolean extended = failure == null;
              if (extended && (last || result instanceof NotExtended)) {
                return;
              }
              synchronized (this) {
                if (!stopped) {
                  scheduleExtension(extended ? nanosBetweenExtensions() : nanosBetweenRetries());
                }
              }
            });
  }

  private long nanosBetweenRetries() {
    return TimeSource.saturatedNanos(lease.ttl()) / RETRIES_PER_TTL;
  }
}
