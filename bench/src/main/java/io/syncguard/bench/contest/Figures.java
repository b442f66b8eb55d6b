package io.syncguard.bench.contest;

import java.util.Collection;
import java.util.Locale;

/** Medians, and lines that set a figure beside its goal. */
public final class Figures {

  private Figures() {}

  /** Returns the middle of the values. */
  public static double median(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns the value below which the given share of the values lies. */
  public static double quantile(Collection<Long> values, double share) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))];
  }

  /** Prints the figure and whether it meets its goal. */
  public static void atLeast(String what, double value, double goal) {
    print(what, value, ">= " + goal, value >= goal);
  }

  /** Prints the figure and whether it meets its goal. */
  public static void above(String what, double value, double goal) {
    print(what, value, "> " + goal, value > goal);
  }

  /** Prints the figure and whether it meets its goal. */
  public static void atMost(String what, double value, double goal) {
    print(what, value, "<= " + goal, value <= goal);
  }

  /** Prints the figure and whether it meets its goal. */
  public static void below(String what, double value, double goal) {
    print(what, value, "< " + goal, value < goal);
  }

  private static void print(String what, double value, String goal, boolean met) {
    say("  %-62s %9.2f   goal %-9s %s", what, value, goal, met ? "met" : "MISSED");
  }

  /** Prints a line. */
  public static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
