package io.syncguard.memory;

import io.syncguard.lock.LockId;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.QueueTimes;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the waiters of all keys have in common: they are in this process, so that one sign of life
 * is for all of them. Only operations that find a queue, or make one, come here. Thread-safe.
 */
final class LockWaiters {

  private final ConcurrentHashMap<LockId, WaiterHints<AcquireAttempt.Granted>> hints =
      new ConcurrentHashMap<>();
  private final AtomicLong lastTicket = new AtomicLong();
  private volatile long seenAtMs;

  long nextTicket() {
    return lastTicket.incrementAndGet();
  }

  void noteAlive(long nowMs) {
    seenAtMs = nowMs;
  }

  boolean areAlive(long nowMs) {
    return nowMs - seenAtMs <= QueueTimes.ALIVE.toMillis();
  }

  Watch watch(LockId waiter, WaiterHints<AcquireAttempt.Granted> told) {
    hints.put(waiter, told);
    return () -> hints.remove(waiter, told);
  }

  /** Returns for how long a grant is kept for this waiter. */
  Duration grantTime(LockId waiter) {
    return hints.containsKey(waiter) ? QueueTimes.GRANT : QueueTimes.GRANT_UNTOLD;
  }

  void tellOfGrant(LockRecord grant) {
    WaiterHints<AcquireAttempt.Granted> waiter = hints.get(grant.lockId);
    if (waiter != null) {
      waiter.granted(new AcquireAttempt.Granted(grant.fence, grant.expiresAt()));
    }
  }

  void tellToLook(LockId waiterId) {
    WaiterHints<AcquireAttempt.Granted> waiter = hints.get(waiterId);
    if (waiter != null) {
      waiter.look();
    }
  }

  int size() {
    return hints.size();
  }

  void clear() {
    hints.clear();
  }
}
