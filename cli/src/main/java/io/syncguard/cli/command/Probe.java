package io.syncguard.cli.command;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockOptions;
import io.syncguard.spi.ClockSkew;
import io.syncguard.spi.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Finds out by locking whether locks work, how fast they are, and what the store's clock says. */
final class Probe {

  private static final String KEY = "syncguard-doctor";
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final int WARM_UP_ROUNDS = 10;
  private static final int ROUNDS = 50;

  /** Waiters of a busy lock would need longer than it is held. */
  private static final Duration SLOW = Duration.ofMillis(250);

  /** With more, the times that this machine shows are visibly wrong. */
  private static final Duration LARGE_DIFFERENCE = Duration.ofSeconds(1);

  /** Stores tell the time in milliseconds. */
  private static final Duration TICK = Duration.ofMillis(1);

  private final SyncGuard guard;
  private final LockOptions options = LockOptions.defaults().withTtl(TTL);
  private Latencies latencies = new Latencies();
  private long bestRoundTrip = Long.MAX_VALUE;
  private Duration difference = Duration.ZERO;

  Probe(SyncGuard guard) {
    this.guard = guard;
  }

  /** Blocks for as long as sixty locks take. */
  List<Finding> findings() {
    try {
      // The first operation connects, which may take longer than a wait for a lock.
      guard.locks().isLocked(KEY);
      rounds(WARM_UP_ROUNDS);
      latencies = new Latencies();
      rounds(ROUNDS);
      return List.of(
          Finding.ok("locking", "a lock was taken and released"),
          latency(),
          guard.measureClockSkew().map(Probe::skew).orElseGet(this::clock));
    } catch (SyncGuardException e) {
      return List.of(
          Finding.failure(
              "locking", String.valueOf(e.getMessage()), "See what else is said of this store"));
    }
  }

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      long begin = System.nanoTime();
      Instant before = Instant.now();
      LockHandle lock = guard.locks().lock(KEY, options);
      long acquired = System.nanoTime();
      compareClocks(lock, before, acquired - begin);
      lock.release();
      latencies.add(acquired - begin);
      latencies.add(System.nanoTime() - acquired);
    }
  }

  /** The shorter the way there and back, the less it can be wrong. */
  private void compareClocks(LockHandle lock, Instant before, long roundTrip) {
    if (roundTrip < bestRoundTrip) {
      bestRoundTrip = roundTrip;
      Instant there = lock.expiresAt().minus(TTL);
      difference = Duration.between(before.plusNanos(roundTrip / 2), there);
    }
  }

  private Finding latency() {
    Duration median = latencies.percentile(50);
    String detail = "p50 " + millis(median) + ", p99 " + millis(latencies.percentile(99));
    return median.compareTo(SLOW) < 0
        ? Finding.ok("latency", detail)
        : Finding.warning(
            "latency", detail, "Bring the store closer, or see why it or its disk is slow");
  }

  /** Where each machine's own clock decides when a lock is over, all of them must agree. */
  private static Finding skew(ClockSkew measured) {
    String detail =
        "this machine's is "
            + millis(measured.skew().abs())
            + (measured.skew().isNegative() ? " behind" : " ahead of")
            + " the store's, to within "
            + millis(measured.uncertainty());
    String advice = "Keep this machine's by NTP: here it decides when a lock is over";
    return switch (measured.verdict()) {
      case OK -> Finding.ok("clock", detail);
      case WARN -> Finding.warning("clock", detail, advice);
      case FAIL -> Finding.failure("clock", detail, advice);
    };
  }

  /** Leases are counted by the store's clock and by monotonic ones, so this breaks no promise. */
  private Finding clock() {
    String detail =
        "the store's is "
            + millis(difference.abs())
            + (difference.isNegative() ? " behind" : " ahead of")
            + " this machine's, to within "
            + millis(Duration.ofNanos(bestRoundTrip / 2).plus(TICK));
    return difference.abs().compareTo(LARGE_DIFFERENCE) < 0
        ? Finding.ok("clock", detail)
        : Finding.warning("clock", detail, "Keep both by NTP: times shown here are wrong by that");
  }

  private static String millis(Duration duration) {
    return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
  }
}
