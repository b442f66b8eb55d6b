package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.AttemptTime;
import java.time.Duration;

/**
 * One question to a rate limiter, in the terms of GCRA.
 *
 * @param name the limiter's name
 * @param cost how far this moves the limiter's time: the interval between two permits, times the
 *     permits asked for; to the nanosecond, never more than the burst
 * @param burst how far the limiter's time may be ahead of the store's clock; to the nanosecond, at
 *     most {@link #LONGEST_BURST}
 * @param timeout after which to fail with NETWORK_TIMEOUT or SERVICE_UNAVAILABLE, whatever the
 *     store waits for: a connection, somebody else, or the answer; the store's own limit holds too
 */
public record RateRequest(ResourceKey name, Duration cost, Duration burst, Duration timeout) {

  /** So long that a store can calculate with it in nanoseconds, also where numbers are doubles. */
  public static final Duration LONGEST_BURST = Duration.ofDays(30);

  /** A question that only the store's own time limit ends. */
  public RateRequest(ResourceKey name, Duration cost, Duration burst) {
    this(name, cost, burst, AttemptTime.UNLIMITED);
  }

  /** Returns the same question, to be answered within this time. */
  public RateRequest within(Duration timeout) {
    return new RateRequest(name, cost, burst, timeout);
  }

  /** Returns what an exception about this carries. */
  public SyncGuardException.Context context() {
    return new SyncGuardException.Context(name.value(), null);
  }
}
