package io.syncguard.spi.lock;

import java.time.Duration;

/**
 * The times of a lock's queue, the same in every store and not configurable: who releases a lock
 * grants it to a waiter whose settings it does not know.
 */
public final class QueueTimes {

  /** How often a process shows that its waiters live. */
  public static final Duration BEAT = Duration.ofSeconds(1);

  /** For how long after its last sign of life a process's waiters count as alive. */
  public static final Duration ALIVE = Duration.ofSeconds(3);

  /** For how long a grant is kept for a waiter that was told, until it confirms. */
  public static final Duration GRANT = Duration.ofSeconds(2);

  /**
   * For how long a grant is kept for a waiter that a store knows it could not tell. From then on
   * the waiter's process counts as alive for no longer than {@link #ALIVE_UNTOLD}, unless it shows
   * that it lives.
   */
  public static final Duration GRANT_UNTOLD = Duration.ofMillis(500);

  /** See {@link #GRANT_UNTOLD}. */
  public static final Duration ALIVE_UNTOLD = Duration.ofSeconds(1);

  private QueueTimes() {}

  /**
   * Returns whether a record is a grant that its waiter has not confirmed, which its life tells. A
   * repeated acquisition that finds such a record under its own id confirms it: the lock then
   * expires a ttl from now. A lock that was acquired for just as long is extended thereby, which
   * does no harm.
   */
  public static boolean isUnconfirmed(long acquiredAtMs, long expiresAtMs) {
    long life = expiresAtMs - acquiredAtMs;
    return life == GRANT.toMillis() || life == GRANT_UNTOLD.toMillis();
  }
}
