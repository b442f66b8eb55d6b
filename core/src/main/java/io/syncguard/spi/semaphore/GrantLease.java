package io.syncguard.spi.semaphore;

import java.time.Duration;

/**
 * How long a slot is kept for a waiter that it was granted to, until the waiter confirms: the same
 * in every store.
 */
public final class GrantLease {

  /**
   * The longest that a grant waits for its confirmation. A waiter that was not told of its grant
   * finds it by its heartbeats, which come more often than this. Not configurable: the client that
   * releases a slot grants it to a waiter whose settings it does not know. A client in another
   * language that shares a store may look more seldom; its grants last for as long as it counts as
   * alive.
   */
  public static final Duration LONGEST = Duration.ofSeconds(5);

  private GrantLease() {}

  /**
   * Returns when a grant ends that is not confirmed.
   *
   * @param nowMs when it is granted
   * @param aliveUntilMs until when the waiter counts as alive by its last heartbeat
   */
  public static long endMs(long nowMs, long aliveUntilMs) {
    return Math.min(nowMs + LONGEST.toMillis(), aliveUntilMs);
  }
}
