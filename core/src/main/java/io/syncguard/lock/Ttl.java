package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What can be a lock's lifetime. */
final class Ttl {

  /** A century; a longer one is a mistake, and its expiry would not fit everywhere. */
  private static final Duration LONGEST = Duration.ofDays(36_525);

  private Ttl() {}

  /** Returns the lifetime in whole milliseconds, never longer than was asked for. */
  static Duration check(Duration ttl) {
    if (ttl.compareTo(Duration.ofMillis(1)) < 0 || ttl.compareTo(LONGEST) > 0) {
      throw SyncGuardException.invalidArgument(
          "A lock's lifetime is from 1 ms to 100 years, not " + ttl);
    }
    return ttl.truncatedTo(ChronoUnit.MILLIS);
  }
}
