package io.syncguard.bench.handoff;

import io.syncguard.bench.contest.Figures;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Figures of one contender as its clients grow, beside their goals. */
final class Growth {

  private final TreeMap<Integer, HandOffRounds> sizes;
  private final Contender contender;

  Growth(Map<Integer, HandOffRounds> sizes, Contender contender) {
    this.sizes = new TreeMap<>(sizes);
    this.contender = contender;
  }

  /** Prints hand-offs per second with so many clients, compared with the fewest clients. */
  void handOffsAtLeast(int clients, double goal) {
    double ratio = ratio(clients, HandOffs::perSecond);
    if (!Double.isNaN(ratio)) {
      Figures.atLeast(
          "hand-offs per second, " + clients + " clients compared with " + fewest(), ratio, goal);
    }
  }

  /** Prints the median gap with so many clients, compared with the fewest clients. */
  void gapAtMost(int clients, double goal) {
    double ratio = ratio(clients, done -> done.gap(0.5));
    if (!Double.isNaN(ratio)) {
      Figures.atMost("gap p50, " + clients + " clients compared with " + fewest(), ratio, goal);
    }
  }

  private int fewest() {
    return sizes.firstKey();
  }

  private double ratio(int clients, ToDoubleFunction<HandOffs> figure) {
    HandOffRounds many = sizes.get(clients);
    if (many == null || clients == fewest()) {
      return Double.NaN;
    }
    HandOffRounds few = sizes.firstEntry().getValue();
    return many.of(contender).map(entry -> entry.median(figure)).orElse(Double.NaN)
        / few.of(contender).map(entry -> entry.median(figure)).orElse(Double.NaN);
  }

  /** Prints the requests per hand-off at every size. */
  void requestsAtMost(double goal) {
    sizes.forEach(
        (clients, rounds) ->
            rounds
                .of(contender)
                .ifPresent(
                    entry ->
                        Figures.atMost(
                            "requests per hand-off, " + clients + " clients",
                            entry.requestsEach(),
                            goal)));
  }

  /**
   * Prints, at every size, hand-offs per second compared with another contender in the same run.
   */
  void comparedWith(Contender other, double goal) {
    sizes.forEach(
        (clients, rounds) ->
            rounds
                .of(contender)
                .ifPresent(
                    entry ->
                        rounds
                            .of(other)
                            .ifPresent(
                                theirs ->
                                    Figures.atLeast(
                                        other.title() + ", " + clients + " clients",
                                        entry.ratio(theirs),
                                        goal))));
  }
}
