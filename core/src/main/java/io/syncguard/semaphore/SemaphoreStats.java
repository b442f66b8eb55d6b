package io.syncguard.semaphore;

import io.syncguard.KeyHash;
import java.time.Duration;

/**
 * How a semaphore was used at a moment; {@code toString} shows only the name's hash.
 *
 * @param name the semaphore's name, raw
 * @param acquired how many slots were taken; more than the limit only after it was made smaller
 * @param limit how many slots there are
 * @param waiting how many were in the queue
 * @param longestWait how long the first in the queue had been there; zero if the queue was empty
 */
public record SemaphoreStats(
    String name, int acquired, int limit, int waiting, Duration longestWait) {

  /** Returns how many of a hundred slots were taken. */
  public double percent() {
    return 100.0 * acquired / limit;
  }

  /** Returns whether an attempt that does not wait would have failed. */
  public boolean isLocked() {
    return acquired >= limit || waiting > 0;
  }

  @Override
  public String toString() {
    return "SemaphoreStats[nameHash="
        + KeyHash.label(name)
        + ", acquired="
        + acquired
        + ", limit="
        + limit
        + ", waiting="
        + waiting
        + ", longestWait="
        + longestWait
        + "]";
  }
}
