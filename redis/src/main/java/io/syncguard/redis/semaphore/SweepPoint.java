package io.syncguard.redis.semaphore;

/**
 * Tells when to look through a map for what is over, so that each entry costs little: when the map
 * is twice as large as the last look left it. Thread-safe.
 */
final class SweepPoint {

  private final int least;
  private volatile int next;

  /** Nothing is looked through that is smaller than this. */
  SweepPoint(int least) {
    this.least = least;
    this.next = least;
  }

  /** Returns whether a map of this size is to be looked through. */
  boolean isReached(int size) {
    return size >= next;
  }

  /** Notes how much was left. */
  void swept(int size) {
    next = Math.max(least, Math.multiplyExact(2, Math.min(size, Integer.MAX_VALUE / 2)));
  }
}
