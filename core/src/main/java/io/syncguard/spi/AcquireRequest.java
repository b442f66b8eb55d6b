package io.syncguard.spi;

import io.syncguard.internal.AttemptTime;
import io.syncguard.lock.LockId;
import java.time.Duration;

/**
 * One attempt to take a lock.
 *
 * @param key what to lock
 * @param lockId the id the lock will have; an attempt that finds its own id already stored, because
 *     the reply to an earlier attempt was lost, is granted with what is stored
 * @param ttl how long the lock lives; at least a millisecond
 * @param watched whether the caller has a {@link LockBackend#watch watch} open on the key, so that
 *     a contended answer must be followed by a hint when the lock may have become free
 * @param timeout after which to fail with NETWORK_TIMEOUT or SERVICE_UNAVAILABLE, whatever the
 *     store waits for: a connection, somebody else, or the answer; the store's own limit holds too
 */
public record AcquireRequest(
    ResourceKey key, LockId lockId, Duration ttl, boolean watched, Duration timeout) {

  /** An attempt that only the store's own time limit ends. */
  public AcquireRequest(ResourceKey key, LockId lockId, Duration ttl, boolean watched) {
    this(key, lockId, ttl, watched, AttemptTime.UNLIMITED);
  }

  /** Returns the same attempt, to be answered within this time. */
  public AcquireRequest within(Duration timeout) {
    return new AcquireRequest(key, lockId, ttl, watched, timeout);
  }
}
