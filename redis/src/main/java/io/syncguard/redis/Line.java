package io.syncguard.redis;

import io.syncguard.spi.PermitRequest;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * This process's waiters for one name in their order, and what is known of those ahead of them.
 * Thread-safe.
 */
final class Line {

  /** What an heir may lose of its time, so that it can begin before Redis knows of it. */
  private static final int SHARE_OF_ITS_TIME = 100;

  private static final long LONGEST_SINCE_NANOS = Duration.ofSeconds(10).toNanos();

  private final TreeMap<Long, Heirs.Heir> waiters = new TreeMap<>();
  private long served;
  private boolean limitChanged;

  /** Belongs to {@link Heirs}. */
  int members;

  /**
   * A slot that Redis has confirmed.
   *
   * @param since when it had not been asked for yet, in nanoseconds
   */
  record Holding(PermitRequest request, long since) {

    /** Returns whether nobody may begin in its place any more. */
    boolean isOld() {
      return System.nanoTime() - since > LONGEST_SINCE_NANOS;
    }
  }

  /**
   * Who gets the slot of a holder that gives it up.
   *
   * @param begins whether it may begin before Redis knows of it: it is surely the next
   * @param since from when its time counts if it begins
   */
  record Succession(Heirs.Heir heir, boolean begins, long since) {}

  synchronized void add(Heirs.Heir heir) {
    if (!heir.isClosed()) {
      waiters.put(heir.place().ticket(), heir);
    }
  }

  synchronized void remove(Heirs.Heir heir) {
    waiters.remove(heir.place().ticket(), heir);
  }

  /** Notes that a waiter has a slot, so that nobody waits any more who came before it. */
  synchronized void served(long ticket) {
    served = Math.max(served, ticket);
  }

  /** Has nobody begin any more before Redis knows of it: it must look at the new limit first. */
  synchronized void limitChanged() {
    limitChanged = true;
  }

  /**
   * Takes out of the line the first, who may inherit a slot; null if nobody waits.
   *
   * @param holding what is known of that slot; null if nothing is
   */
  synchronized @Nullable Succession next(@Nullable Holding holding) {
    Map.Entry<Long, Heirs.Heir> first = waiters.pollFirstEntry();
    if (first == null) {
      return null;
    }
    Heirs.Heir heir = first.getValue();
    if (holding == null || holding.isOld() || !isSurelyNext(heir.place())) {
      return new Succession(heir, false, 0);
    }
    long since = earlier(holding.since(), heir.place().askedAt());
    boolean begins = outlives(holding.request(), heir.request()) && isRecent(since, heir.request());
    if (begins) {
      served = heir.place().ticket();
    }
    return new Succession(heir, begins, since);
  }

  private boolean isSurelyNext(Heirs.Place place) {
    return !limitChanged && place.hasTime() && place.ahead() <= served && served < place.ticket();
  }

  private static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  /** Until Redis knows of the heir, it keeps the slot for as long as the other would have it. */
  private static boolean outlives(PermitRequest holder, PermitRequest heir) {
    return holder.ttl().compareTo(heir.ttl()) >= 0
        && holder.heartbeatTimeout().compareTo(heir.heartbeatTimeout()) >= 0;
  }

  private static boolean isRecent(long since, PermitRequest heir) {
    Duration shortest =
        heir.ttl().compareTo(heir.heartbeatTimeout()) < 0 ? heir.ttl() : heir.heartbeatTimeout();
    Duration age = Duration.ofNanos(System.nanoTime() - since);
    return age.multipliedBy(SHARE_OF_ITS_TIME).compareTo(shortest) < 0;
  }
}
