package io.syncguard.spi;

import io.syncguard.internal.AttemptTime;
import java.time.Duration;

/**
 * One attempt to get a slot of a semaphore. The same request may be repeated: what the store knows
 * of the permit's id decides what it means.
 *
 * @param permit which permit is asking, under an id that its first attempt made known
 * @param limit how many slots the semaphore has
 * @param ttl the longest the slot may be held, counted from when the permit got it
 * @param heartbeatTimeout how long after its last sign of life the permit counts as dead
 * @param waits whether to take a place in the queue if there is no slot now; if not, the permit has
 *     no place afterwards, not even one that it had before
 * @param watched whether the caller has a {@link SemaphoreBackend#watch watch} open for the permit
 * @param timeout after which to fail with NETWORK_TIMEOUT or SERVICE_UNAVAILABLE, whatever the
 *     store waits for: a connection, somebody else, or the answer; the store's own limit holds too
 */
public record PermitRequest(
    PermitReference permit,
    int limit,
    Duration ttl,
    Duration heartbeatTimeout,
    boolean waits,
    boolean watched,
    Duration timeout) {

  /** An attempt that only the store's own time limit ends. */
  public PermitRequest(
      PermitReference permit,
      int limit,
      Duration ttl,
      Duration heartbeatTimeout,
      boolean waits,
      boolean watched) {
    this(permit, limit, ttl, heartbeatTimeout, waits, watched, AttemptTime.UNLIMITED);
  }

  /** Returns the same attempt, to be answered within this time. */
  public PermitRequest within(Duration timeout) {
    return new PermitRequest(permit, limit, ttl, heartbeatTimeout, waits, watched, timeout);
  }
}
