package io.syncguard.internal.hold;

import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Until when this process may believe that it holds a lock or a permit, on its own monotonic clock.
 * Counted from before the request was sent, so that it always ends before the store's own expiry.
 * Thread-safe.
 *
 * <p>Its end moves earlier when a shorter extension is sent or a cap is set, and later when an
 * extension has succeeded or a heartbeat was answered.
 */
public final class Lease {

  /** An extension is due after this part of the ttl, so that two may fail before the end. */
  private static final int EXTENSIONS_PER_TTL = 3;

  private static final Duration SHORTEST_TTL = Duration.ofMillis(1);

  /**
   * An end, and how long before it a lease that is not extended is given up as lost.
   *
   * @param end on the monotonic clock
   */
  private record Term(long end, long marginNanos) {

    private static final Duration LONGEST_MARGIN = Duration.ofMillis(500);

    static Term of(long start, Duration ttl) {
      long nanos = TimeSource.saturatedNanos(ttl);
      return new Term(start + nanos, Math.min(nanos / 10, LONGEST_MARGIN.toNanos()));
    }

    Term atMost(@Nullable Term other) {
      return other == null
          ? this
          : new Term(earlier(end, other.end), Math.min(marginNanos, other.marginNanos));
    }

    private static long earlier(long a, long b) {
      return a - b <= 0 ? a : b;
    }
  }

  private final TimeSource time;
  private final long requestedAt;
  private Duration ttl;
  private Term term;
  private @Nullable Term cap;
  private int extensionsUnderWay;
  private @Nullable Term earliestUnderWay;

  /** Begins when it was requested, and lasts for the ttl. */
  public Lease(TimeSource time, long requestedAt, Duration ttl) {
    this.time = time;
    this.requestedAt = requestedAt;
    this.ttl = ttl;
    this.term = Term.of(requestedAt, ttl);
  }

  /** Has the lease end by then, until an extension or a heartbeat has succeeded. */
  public synchronized void endBy(long end) {
    long now = time.nanoTime();
    term = term.atMost(Term.of(now, Duration.ofNanos(Math.max(0, end - now))));
  }

  /**
   * Notes that the store knew of the holder when it was asked at that time: the ttl counts anew.
   */
  public synchronized void confirmedAt(long askedAt) {
    Term confirmed = Term.of(askedAt, ttl);
    if (confirmed.end() - term.end() > 0) {
      term = confirmed;
    }
  }

  /** Returns when it was requested. */
  public long requestedAt() {
    return requestedAt;
  }

  /** Returns for how many nanoseconds it lasts. */
  public synchronized long remainingNanos() {
    return term.atMost(cap).end() - time.nanoTime();
  }

  /** Returns in how many nanoseconds a lease that is not extended is given up as lost. */
  public synchronized long nanosToLoss() {
    Term capped = term.atMost(cap);
    return capped.end() - capped.marginNanos() - time.nanoTime();
  }

  /** Returns in how many nanoseconds the next extension is due, if there is to be one. */
  public synchronized long nanosToExtension() {
    long third = TimeSource.saturatedNanos(ttl) / EXTENSIONS_PER_TTL;
    return term.end() - third * (EXTENSIONS_PER_TTL - 1) - time.nanoTime();
  }

  /** Has the lease end so long after it was requested at the latest, whatever extensions follow. */
  public synchronized void capAt(Duration maxHold) {
    cap = Term.of(requestedAt, maxHold);
  }

  /** Returns whether an extension within the cap would make the lease longer. */
  public synchronized boolean isBelowCap() {
    return cap == null || cap.end() - term.end() >= SHORTEST_TTL.toNanos();
  }

  /** Returns the lifetime that was last asked for; towards the cap, extensions are shorter. */
  public synchronized Duration ttl() {
    return ttl;
  }

  /** Notes that an extension by the given lifetime, which is the ttl from then on, is sent. */
  public synchronized Extension extending(Duration newTtl) {
    return send(newTtl, newTtl);
  }

  /** Notes that an extension by the ttl, or by what the cap leaves of it, is about to be sent. */
  public synchronized Extension renewing() {
    Duration renewal = ttl;
    if (cap != null) {
      Duration left = Duration.ofNanos(cap.end() - time.nanoTime()).truncatedTo(ChronoUnit.MILLIS);
      renewal = left.compareTo(ttl) < 0 ? left : ttl;
    }
    return send(renewal.compareTo(SHORTEST_TTL) < 0 ? SHORTEST_TTL : renewal, ttl);
  }

  /**
   * From then on the store may hold the new expiry, so the lease ends no later than that. If
   * extensions overlap, it is not known which one the store carried out last, and the earliest of
   * their ends counts.
   */
  private Extension send(Duration by, Duration newTtl) {
    Term sent = Term.of(time.nanoTime(), by);
    earliestUnderWay = extensionsUnderWay++ == 0 ? sent : sent.atMost(earliestUnderWay);
    term = term.atMost(sent);
    return new Extension(by, newTtl);
  }

  /** An extension that was sent and not yet answered. */
  public final class Extension {

    private final Duration by;
    private final Duration newTtl;

    private Extension(Duration by, Duration newTtl) {
      this.by = by;
      this.newTtl = newTtl;
    }

    /** Returns the lifetime that is asked for. */
    public Duration by() {
      return by;
    }

    /** Takes that the store has carried it out. */
    public void succeeded() {
      synchronized (Lease.this) {
        if (earliestUnderWay != null) {
          term = earliestUnderWay;
        }
        ttl = newTtl;
        extensionsUnderWay--;
      }
    }

    /** The store may have carried it out all the same: the shorter end stays. */
    public void failed() {
      synchronized (Lease.this) {
        extensionsUnderWay--;
      }
    }
  }
}
