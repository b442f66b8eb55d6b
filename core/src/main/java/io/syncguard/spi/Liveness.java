package io.syncguard.spi;

import java.time.Duration;

/** When a lock is alive: the one predicate that every store and every operation uses. */
public final class Liveness {

  /**
   * How long after its expiry a lock is still alive, to allow for clocks that disagree. Not
   * configurable: clients that disagree about it could own a lock at the same time.
   */
  public static final long TOLERANCE_MS = 1000;

  private Liveness() {}

  /** Returns whether a lock that expires at one time is alive at the other. */
  public static boolean isLive(long expiresAtMs, long nowMs) {
    return expiresAtMs > nowMs - TOLERANCE_MS;
  }

  /** Returns how long it takes until a lock is no longer alive, unless its holder extends it. */
  public static Duration remaining(long expiresAtMs, long nowMs) {
    return Duration.ofMillis(Math.max(0, expiresAtMs + TOLERANCE_MS - nowMs));
  }
}
