package io.syncguard.bench.memory;

import java.util.stream.IntStream;

/**
 * The keys of one thread, taken in turn. There are as many in every configuration, so that only
 * what is to be compared differs. Not thread-safe.
 */
final class KeyRing {

  /** How many keys each thread has; a power of two. */
  static final int SIZE = 1024;

  private final String[] keys;
  private int next;

  KeyRing(int thread) {
    this.keys =
        IntStream.range(0, SIZE)
            .mapToObj(i -> String.format("bench:own:%02d:%07d", thread, i))
            .toArray(String[]::new);
  }

  String next() {
    return keys[next++ & (SIZE - 1)];
  }
}
