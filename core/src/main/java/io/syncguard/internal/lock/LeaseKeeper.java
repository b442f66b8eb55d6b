package io.syncguard.internal.lock;

import io.syncguard.internal.hold.Lease;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a handle's lease: extends it if asked to, and declares the lock lost shortly before
 * the lease ends. Only a handle with a loss listener, with auto-extension, or with a grant that is
 * to be confirmed has one.
 *
 * <pre>
 * WATCHING ── autoExtend, confirm ──▶ DUE LATER ── it is time ──▶ UNDER WAY
 *                                         ▲                            │
 *                                         └──── answered, or failed ◀──┘
 * any of them ── the lease is about to end, or the store says that the lock is gone ──▶ STOPPED
 * any of them ── release ──▶ STOPPED
 * </pre>
 *
 * <p>One timer fires for what comes first, the next extension or the loss. Whatever moves the
 * lease's end has it set anew.
 */
final class LeaseKeeper {

  /** Most grants that are told are released by then, and need no confirmation. */
  static final Duration CONFIRM_AFTER = Duration.ofMillis(10);

  private static final int RETRIES_PER_TTL = 10;
  private static final int RETRIES_BEFORE_LOSS = 3;
  private static final long SHORT_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

  private final HeldLock handle;
  private final Lease lease;
  private final TimeSource time;

  private boolean stopped;
  private boolean autoExtends;
  private boolean unconfirmed;
  private long confirmAt;
  private boolean extensionUnderWay;
  private long nextExtensionAt;
  private TimeSource.@Nullable Timer timer;
  private long firesAt;
  private int timersSet;

  LeaseKeeper(HeldLock handle, Lease lease, TimeSource time) {
    this.handle = handle;
    this.lease = lease;
    this.time = time;
  }

  /** Has the handle told when its lock is lost. */
  synchronized void watch() {
    if (!stopped) {
      arm();
    }
  }

  synchronized void autoExtend(Duration maxHold) {
    if (!stopped) {
      autoExtends = true;
      lease.capAt(maxHold);
      planExtension(0);
    }
  }

  /** Takes that an extension was sent, after which the lease may end sooner. */
  synchronized void extensionSent() {
    if (!stopped) {
      arm();
    }
  }

  /** Takes that an extension was answered or failed, from where the next one is counted. */
  synchronized void extensionSettled(boolean succeeded) {
    if (!stopped) {
      unconfirmed &= !succeeded;
      planExtension(0);
    }
  }

  /** Has a grant that was told confirmed, a little later: it may have been released by then. */
  synchronized void confirm() {
    unconfirmed = true;
    confirmAt = time.nanoTime() + CONFIRM_AFTER.toNanos();
    planExtension(0);
  }

  /** Ends the timer, because the lock is lost or being released. */
  synchronized void stop() {
    stopped = true;
    cancelTimer();
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void planExtension(long pauseNanos) {
    long now = time.nanoTime();
    nextExtensionAt =
        now + Math.max(pauseNanos, unconfirmed ? confirmAt - now : lease.nanosToExtension());
    arm();
  }

  private boolean isExtensionWanted() {
    return !extensionUnderWay && (unconfirmed || (autoExtends && lease.isBelowCap()));
  }

  /** A timer that fires too early does no harm: it is then set anew. */
  private void arm() {
    long now = time.nanoTime();
    long delay = lease.nanosToLoss();
    if (isExtensionWanted()) {
      delay = Math.min(delay, nextExtensionAt - now);
    }
    if (timer != null && firesAt - now <= delay) {
      return;
    }
    cancelTimer();
    firesAt = now + delay;
    int number = ++timersSet;
    timer = time.schedule(() -> act(number), Duration.ofNanos(Math.max(0, delay)));
  }

  private void act(int timerNumber) {
    boolean lost;
    synchronized (this) {
      if (stopped || timerNumber != timersSet) {
        return;
      }
      timer = null;
      long now = time.nanoTime();
      lost = lease.nanosToLoss() <= 0;
      boolean due = isExtensionWanted() && nextExtensionAt - now <= 0;
      extensionUnderWay |= due && !lost;
      if (!lost) {
        arm();
        if (!due) {
          return;
        }
      }
    }
    if (lost) {
      handle.lose();
    } else {
      handle.renew().whenComplete((result, failure) -> renewed());
    }
  }

  /** Plans the next one, also after a failure; not at once, lest it is a loop without a pause. */
  private synchronized void renewed() {
    extensionUnderWay = false;
    if (!stopped) {
      long inTime = Math.max(lease.nanosToLoss() / RETRIES_BEFORE_LOSS, SHORT_PAUSE_NANOS);
      planExtension(Math.min(TimeSource.saturatedNanos(lease.ttl()) / RETRIES_PER_TTL, inTime));
    }
  }
}
