package io.syncguard.internal;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** What can be a lifetime, or a time to wait. */
public final class Lifetime {

  /** A century; a longer one is a mistake, and its expiry would not fit everywhere. */
  private static final Duration LONGEST = Duration.ofDays(36_525);

  private Lifetime() {}

  /**
   * Returns the lifetime in whole milliseconds, never longer than was asked for.
   *
   * @param whose what the message names, such as {@code A lock's lifetime}
   */
  public static Duration check(String whose, @Nullable Duration ttl) {
    if (ttl == null) {
      throw SyncGuardException.invalidArgument(whose + " must not be null");
    }
    if (ttl.compareTo(Duration.ofMillis(1)) < 0 || ttl.compareTo(LONGEST) > 0) {
      throw SyncGuardException.invalidArgument(whose + " is from 1 ms to 100 years, not " + ttl);
    }
    return ttl.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns the time to wait if it can be one. */
  public static Duration checkWait(@Nullable Duration maxWait) {
    if (maxWait == null) {
      throw SyncGuardException.invalidArgument("The time to wait must not be null");
    }
    if (maxWait.isNegative()) {
      throw SyncGuardException.invalidArgument("The time to wait must not be negative: " + maxWait);
    }
    return maxWait;
  }
}
