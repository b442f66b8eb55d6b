package io.syncguard.cli.command;

import java.time.Duration;
import java.util.Arrays;

/** How long things took, in the order in which they came. Not thread-safe. */
final class Latencies {

  private static final int FIRST_ROOM = 1024;

  private long[] nanos = new long[FIRST_ROOM];
  private int count;

  void add(long took) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = took;
  }

  void addAll(Latencies others) {
    for (int i = 0; i < others.count; i++) {
      add(others.nanos[i]);
    }
  }

  int count() {
    return count;
  }

  /** Returns what so many of a hundred did not exceed; zero if there were none. */
  Duration percentile(double percent) {
    if (count == 0) {
      return Duration.ZERO;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    int index = (int) Math.ceil(count * percent / 100) - 1;
    return Duration.ofNanos(sorted[Math.max(0, index)]);
  }
}
