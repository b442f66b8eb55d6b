package io.syncguard.limit;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.RateRequest;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;

/** What a rate limiter allows, checked, and as GCRA has it: an interval and a burst. */
final class Rate {

  private static final Duration SHORTEST_INTERVAL = Duration.ofNanos(1000);

  private final ResourceKey name;
  private final Duration interval;
  private final long burst;

  /** The interval is rounded up to a nanosecond, so that the rate is never exceeded. */
  Rate(ResourceKey name, long permits, Duration per, long burst) {
    if (permits < 1 || per.isZero() || per.isNegative()) {
      throw SyncGuardException.invalidArgument(
          "A rate is at least 1 permit per a positive time, not " + permits + " per " + per);
    }
    if (burst < 1) {
      throw SyncGuardException.invalidArgument("A burst is at least 1 permit, not " + burst);
    }
    this.name = name;
    this.interval = per.plusNanos(permits - 1).dividedBy(permits);
    this.burst = burst;
    if (per.dividedBy(permits).compareTo(SHORTEST_INTERVAL) < 0) {
      throw SyncGuardException.invalidArgument(
          "A rate is at most a million permits a second, not " + permits + " per " + per);
    }
    if (burst > RateRequest.LONGEST_BURST.dividedBy(interval)) {
      throw SyncGuardException.invalidArgument(
          "A burst of "
              + burst
              + " permits, one every "
              + interval
              + ", would take longer than "
              + RateRequest.LONGEST_BURST.toDays()
              + " days to come back");
    }
  }

  RateRequest request(long permits) {
    if (permits < 1 || permits > burst) {
      throw SyncGuardException.invalidArgument(
          "From 1 to " + burst + " permits, the burst, can be had at once, not " + permits);
    }
    return new RateRequest(name, interval.multipliedBy(permits), interval.multipliedBy(burst));
  }

  ResourceKey name() {
    return name;
  }
}
