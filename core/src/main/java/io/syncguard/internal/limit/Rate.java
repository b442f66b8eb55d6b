package io.syncguard.internal.limit;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a rate limiter allows, checked, and as GCRA has it: an interval and a burst. */
final class Rate {

  private static final Duration SHORTEST_INTERVAL = Duration.ofNanos(1000);
  private static final Duration LONGEST_BURST = LimitOperation.Take.LONGEST_BURST;

  private final ResourceKey name;
  private final Duration interval;
  private final long burst;

  /** The interval is rounded up to a nanosecond, so that the rate is never exceeded. */
  Rate(ResourceKey name, long permits, @Nullable Duration per, long burst) {
    if (per == null) {
      throw SyncGuardException.invalidArgument("A rate's time must not be null");
    }
    if (permits < 1 || per.isZero() || per.isNegative()) {
      throw SyncGuardException.invalidArgument(
          "A rate is at least 1 permit per a positive time, not " + permits + " per " + per);
    }
    if (burst < 1) {
      throw SyncGuardException.invalidArgument("A burst is at least 1 permit, not " + burst);
    }
    Duration floor = per.dividedBy(permits);
    if (floor.compareTo(SHORTEST_INTERVAL) < 0) {
      throw SyncGuardException.invalidArgument(
          "A rate is at most a million permits per second, not " + permits + " per " + per);
    }
    this.name = name;
    this.interval = floor.multipliedBy(permits).equals(per) ? floor : floor.plusNanos(1);
    this.burst = burst;
    if (burst > LONGEST_BURST.dividedBy(interval)) {
      throw SyncGuardException.invalidArgument(
          "A burst of "
              + burst
              + " permits, one every "
              + interval
              + ", would take longer than "
              + LONGEST_BURST.toDays()
              + " days to come back");
    }
  }

  ResourceKey name() {
    return name;
  }

  Subject subject() {
    return Subject.ofRateLimiter(name.value());
  }

  LimitOperation.Take take(long permits) {
    if (permits < 1 || permits > burst) {
      throw SyncGuardException.invalidArgument(
          "From 1 to " + burst + " permits, the burst, can be had at once, not " + permits);
    }
    return new LimitOperation.Take(
        name, interval.multipliedBy(permits), interval.multipliedBy(burst));
  }
}
