package io.syncguard.internal.lock;

import io.syncguard.lock.LockId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which waiter of this process holds a key's lock, and since when waiters of this process have
 * passed it on to each other. Thread-safe.
 */
final class Tenure {

  /** How long a process may keep a lock from others by passing it on to its own waiters. */
  private static final long LONGEST_NANOS = Duration.ofMillis(10).toNanos();

  private @Nullable LockId holder;
  private long since;

  /** Notes a new holder; the time goes on if it has the lock from another one of this process. */
  synchronized void begin(LockId lockId, boolean handedOver, long now) {
    holder = lockId;
    if (!handedOver) {
      since = now;
    }
  }

  /** Notes a release; returns false if another waiter of this process holds the lock already. */
  synchronized boolean end(LockId lockId) {
    if (holder != null && !holder.equals(lockId)) {
      return false;
    }
    holder = null;
    return true;
  }

  synchronized boolean isHeld() {
    return holder != null;
  }

  synchronized boolean isHeldBy(LockId lockId) {
    return holder != null && holder.equals(lockId);
  }

  /** Returns whether it is time to let other processes have the lock. */
  synchronized boolean isOver(long now) {
    return now - since >= LONGEST_NANOS;
  }
}
