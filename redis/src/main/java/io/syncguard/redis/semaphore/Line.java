package io.syncguard.redis.semaphore;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * This process's waiters for one name in their order, and what is known of those ahead of them.
 * Thread-safe.
 */
final class Line {

  private final TreeMap<Long, Heir> waiters = new TreeMap<>();
  private long served;
  private boolean limitChanged;

  /** Belongs to {@link Heirs}. */
  int members;

  /**
   * The waiter that gets the slot of a holder that gives it up.
   *
   * @param endsAt if it may begin before Redis hears of it: until when Redis surely keeps what it
   *     then rests on, in nanoseconds
   */
  record Succession(Heir heir, OptionalLong endsAt) {}

  synchronized void add(Heir heir) {
    if (!heir.isClosed()) {
      waiters.put(heir.place().ticket(), heir);
    }
  }

  synchronized void remove(Heir heir) {
    waiters.remove(heir.place().ticket(), heir);
  }

  /** Notes that the waiter with this ticket has a slot, so that no earlier one waits any more. */
  synchronized void served(long ticket) {
    served = Math.max(served, ticket);
  }

  /** Lets no waiter begin before Redis hears of it: Redis must look at the new limit first. */
  synchronized void limitChanged() {
    limitChanged = true;
  }

  synchronized void limitIsKnown() {
    limitChanged = false;
  }

  /**
   * Takes the first out of the line, which may inherit a slot; null if the line is empty.
   *
   * @param slotEndsAt until when Redis surely keeps that slot, in nanoseconds; empty if it is not
   *     certain that it does
   */
  synchronized @Nullable Succession next(OptionalLong slotEndsAt) {
    Map.Entry<Long, Heir> first = waiters.pollFirstEntry();
    if (first == null) {
      return null;
    }
    Heir heir = first.getValue();
    return new Succession(
        heir,
        slotEndsAt.isPresent() && isSurelyNext(heir.place())
            ? heir.restsOn(slotEndsAt.getAsLong())
            : OptionalLong.empty());
  }

  private boolean isSurelyNext(Heir.Place place) {
    return !limitChanged && place.hasTime() && place.ahead() <= served && served < place.ticket();
  }
}
