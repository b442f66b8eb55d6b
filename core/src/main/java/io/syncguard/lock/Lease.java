package io.syncguard.lock;

import io.syncguard.spi.TimeSource;
import java.time.Duration;

/**
 * Until when this process may believe that it holds a lock, on its own monotonic clock. Counted
 * from before the request was sent, so that it always ends before the store's own expiry.
 * Thread-safe.
 */
final class Lease {

  private static final Duration LONGEST_MARGIN = Duration.ofMillis(500);

  private final TimeSource time;
  private Duration ttl;
  private long end;
  private boolean limited;
  private long limit;
  private int extensionsUnderWay;
  private long earliestEndUnderWay;

  Lease(TimeSource time, long requestedAt, Duration ttl) {
    this.time = time;
    this.ttl = ttl;
    this.end = requestedAt + TimeSource.saturatedNanos(ttl);
  }

  synchronized long remainingNanos() {
    long ending = limited ? earlier(end, limit) : end;
    return ending - time.nanoTime();
  }

  /** Has the lease end at that time at the latest, whatever extensions there are. */
  synchronized void limitTo(long latestEnd) {
    limited = true;
    limit = latestEnd;
  }

  synchronized Duration ttl() {
    return ttl;
  }

  /** Returns how long before its end a lease that nobody extends is given up as lost. */
  synchronized long marginNanos() {
    return Math.min(TimeSource.saturatedNanos(ttl) / 10, LONGEST_MARGIN.toNanos());
  }

  /**
   * Notes that an extension is about to be sent. From then on the store may hold the new expiry, so
   * the lease ends no later than that. If extensions overlap, nobody knows which one the store
   * carried out last, and the earliest of their ends counts.
   */
  synchronized Extension extending(Duration newTtl) {
    long newEnd = time.nanoTime() + TimeSource.saturatedNanos(newTtl);
    earliestEndUnderWay = extensionsUnderWay++ == 0 ? newEnd : earlier(earliestEndUnderWay, newEnd);
    end = earlier(end, newEnd);
    return new Extension(newTtl);
  }

  private static long earlier(long a, long b) {
    return a - b <= 0 ? a : b;
  }

  /** An extension that was sent and not yet answered. */
  final class Extension {

    private final Duration newTtl;

    private Extension(Duration newTtl) {
      this.newTtl = newTtl;
    }

    void succeeded() {
      synchronized (Lease.this) {
        end = earliestEndUnderWay;
        ttl = newTtl;
        extensionsUnderWay--;
      }
    }

    void failed() {
      synchronized (Lease.this) {
        extensionsUnderWay--;
      }
    }
  }
}
