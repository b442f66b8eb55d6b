package io.syncguard.testkit.history;

import io.syncguard.testkit.history.HandOffHistory.Passage;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** Passages in their order of arrival, and what follows from it if the first are served first. */
final class Arrivals {

  private final List<Passage> recorded;
  private final Order byTime;
  private final Order byTicket;

  Arrivals(List<Passage> recorded) {
    this.recorded = recorded;
    this.byTime = new Order(recorded, Passage::askedAt);
    this.byTicket = new Order(recorded.stream().filter(Passage::waited).toList(), Passage::ticket);
  }

  /** Returns every passage's slot from when the first later comer had one. */
  List<Hold> holds() {
    return recorded.stream().map(passage -> new Hold(passage, from(passage))).toList();
  }

  /** Not before it asked: a server's clock that was set back gives small tickets to late comers. */
  private long from(Passage passage) {
    long laterComer = byTime.earliestReturnAfter(passage.joinedAt());
    if (passage.waited()) {
      laterComer = Math.min(laterComer, byTicket.earliestReturnAfter(passage.ticket()));
    }
    return Math.min(passage.acquiredAt(), Math.max(laterComer, passage.askedAt()));
  }

  private static final class Order {

    private final long[] places;
    private final long[] earliestReturns;

    Order(List<Passage> passages, ToLongFunction<Passage> place) {
      List<Passage> inOrder = passages.stream().sorted(Comparator.comparingLong(place)).toList();
      places = inOrder.stream().mapToLong(place).toArray();
      earliestReturns = new long[places.length + 1];
      earliestReturns[places.length] = Long.MAX_VALUE;
      for (int i = places.length - 1; i >= 0; i--) {
        earliestReturns[i] = Math.min(earliestReturns[i + 1], inOrder.get(i).acquiredAt());
      }
    }

    /** Returns when the first of those behind this place knew that it had a slot. */
    long earliestReturnAfter(long place) {
      int low = 0;
      int high = places.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (places[middle] > place) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return earliestReturns[low];
    }
  }
}
