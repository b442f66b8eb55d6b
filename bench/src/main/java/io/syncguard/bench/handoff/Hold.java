package io.syncguard.bench.handoff;

/**
 * What one client did with the key once, by {@link System#nanoTime}: on Linux that is one clock for
 * all processes of a machine (CLOCK_MONOTONIC).
 *
 * @param client which client of the run
 * @param acquiredAt just after it acquired
 * @param releasingAt just before it released
 */
record Hold(int client, long acquiredAt, long releasingAt) {

  String line() {
    return client + " " + acquiredAt + " " + releasingAt;
  }

  static Hold parse(String line) {
    String[] words = line.split(" ", -1);
    return new Hold(Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
  }
}
