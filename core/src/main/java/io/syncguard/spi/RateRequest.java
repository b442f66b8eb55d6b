package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import java.time.Duration;

/**
 * One question to a rate limiter, in the terms of GCRA.
 *
 * @param name the limiter's name
 * @param cost how far this moves the limiter's time: the interval between two permits, times the
 *     permits asked for; to the nanosecond, never more than the burst
 * @param burst how far the limiter's time may be ahead of the store's clock; to the nanosecond, at
 *     most {@link #LONGEST_BURST}
 */
public record RateRequest(ResourceKey name, Duration cost, Duration burst) {

  /** So long that a store can calculate with it in nanoseconds, also where numbers are doubles. */
  public static final Duration LONGEST_BURST = Duration.ofDays(30);

  /** Returns what an exception about this carries. */
  public SyncGuardException.Context context() {
    return new SyncGuardException.Context(name.value(), null);
  }
}
