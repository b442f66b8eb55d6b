package io.syncguard.semaphore;

import io.syncguard.spi.TimeSource;
import java.time.Duration;

/**
 * Until when this process may believe that it holds a permit, on its own monotonic clock: as long
 * as its heartbeats are answered, and not beyond the ttl. Both are counted from before the request
 * was sent, so that the lease always ends before the store's. Thread-safe.
 */
final class PermitLease {

  private static final Duration LONGEST_MARGIN = Duration.ofMillis(500);

  private final TimeSource time;
  private final long holdEnd;
  private final long timeoutNanos;
  private final long marginNanos;
  private volatile long aliveEnd;

  /**
   * Begins at that time.
   *
   * @param keptFor how long the store keeps the slot without a further sign of life
   */
  PermitLease(TimeSource time, SemaphoreOptions options, long requestedAt, Duration keptFor) {
    this.time = time;
    long ttlNanos = TimeSource.saturatedNanos(options.ttl());
    this.timeoutNanos = TimeSource.saturatedNanos(options.heartbeatTimeout());
    this.holdEnd = requestedAt + ttlNanos;
    this.aliveEnd = requestedAt + Math.min(timeoutNanos, TimeSource.saturatedNanos(keptFor));
    this.marginNanos = Math.min(Math.min(ttlNanos, timeoutNanos) / 10, LONGEST_MARGIN.toNanos());
  }

  long remainingNanos() {
    long now = time.nanoTime();
    return Math.min(holdEnd - now, aliveEnd - now);
  }

  /** Returns in how many nanoseconds the permit is given up as lost, shortly before the end. */
  long nanosToLoss() {
    return remainingNanos() - marginNanos;
  }

  /** Notes that the store knew of the permit when it was asked at that time. */
  synchronized void confirmedAt(long askedAt) {
    long newEnd = askedAt + timeoutNanos;
    if (newEnd - aliveEnd > 0) {
      aliveEnd = newEnd;
    }
  }
}
