package io.syncguard.testkit.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * When a rate limiter allowed something, and whether in any window that was more than the rate and
 * the burst. Each decision fell between two readings of a clock, so it counts only for windows that
 * hold both. Thread-safe.
 */
public final class RateHistory {

  /** A store's clock may count in microseconds, so two decisions may seem closer than they were. */
  private static final long CLOCK_STEP_NANOS = 2000;

  private record Allowed(long after, long before) {}

  private final List<Allowed> decisions = new ArrayList<>();

  /** A history in which nothing was allowed yet. */
  public RateHistory() {}

  /** Notes that something was allowed between two readings of {@link System#nanoTime}. */
  public synchronized void allowed(long beforeNanos, long afterNanos) {
    decisions.add(new Allowed(afterNanos, beforeNanos));
  }

  /** Returns how many were allowed. */
  public synchronized int size() {
    return decisions.size();
  }

  /**
   * Returns if in no window there were more than the burst and one for each interval; fails with
   * the worst window otherwise.
   */
  public synchronized void check(Duration interval, long burst) {
    List<Allowed> byEnd = new ArrayList<>(decisions);
    byEnd.sort(Comparator.comparingLong(Allowed::after));
    long origin = byEnd.stream().mapToLong(Allowed::before).min().orElse(0);
    double perNano = 1.0 / interval.toNanos();
    MostSoFar windows =
        new MostSoFar(byEnd.stream().mapToDouble(d -> -(d.after() - origin) * perNano).toArray());
    Integer[] byStart = new Integer[byEnd.size()];
    Arrays.setAll(byStart, i -> i);
    Arrays.sort(byStart, Comparator.comparingLong(i -> -byEnd.get(i).before()));
    for (int i : byStart) {
      windows.addOneFrom(i);
      double start = (byEnd.get(i).before() - origin) * perNano;
      double most = windows.mostFrom(i) + start;
      if (most > burst + CLOCK_STEP_NANOS * perNano) {
        throw new AssertionError(
            "In a window that begins "
                + Duration.ofNanos(byEnd.get(i).before() - origin)
                + " after the first, there were "
                + (most - burst)
                + " more than one every "
                + interval
                + " and a burst of "
                + burst);
      }
    }
  }

  /**
   * For each end of a window, how many decisions it holds less what the rate allows until then: a
   * tree in which a suffix is raised, and asked for its greatest, in logarithmic time.
   */
  private static final class MostSoFar {

    private final int leaves;
    private final double[] most;
    private final int[] raised;

    MostSoFar(double[] values) {
      int size = 1;
      while (size < values.length) {
        size *= 2;
      }
      leaves = size;
      most = new double[2 * size];
      raised = new int[2 * size];
      Arrays.fill(most, Double.NEGATIVE_INFINITY);
      System.arraycopy(values, 0, most, size, values.length);
      for (int node = size - 1; node >= 1; node--) {
        most[node] = Math.max(most[2 * node], most[2 * node + 1]);
      }
    }

    void addOneFrom(int index) {
      addOneFrom(index, 1, 0, leaves);
    }

    private void addOneFrom(int index, int node, int from, int to) {
      if (index <= from) {
        most[node] += 1;
        raised[node]++;
      } else if (index < to) {
        int middle = (from + to) / 2;
        addOneFrom(index, 2 * node, from, middle);
        addOneFrom(index, 2 * node + 1, middle, to);
        most[node] = Math.max(most[2 * node], most[2 * node + 1]) + raised[node];
      }
    }

    double mostFrom(int index) {
      return mostFrom(index, 1, 0, leaves);
    }

    private double mostFrom(int index, int node, int from, int to) {
      if (index <= from) {
        return most[node];
      }
      if (index >= to) {
        return Double.NEGATIVE_INFINITY;
      }
      int middle = (from + to) / 2;
      return raised[node]
          + Math.max(
              mostFrom(index, 2 * node, from, middle), mostFrom(index, 2 * node + 1, middle, to));
    }
  }
}
