package io.syncguard.limit;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.AttemptTime;
import io.syncguard.spi.TimeSource;
import java.time.Duration;

/** How long one acquisition waits, in all. */
final class RateWait {

  private final TimeSource time;
  private final Duration maxWait;
  private final long deadline;

  RateWait(TimeSource time, Duration maxWait) {
    if (maxWait.isNegative()) {
      throw SyncGuardException.invalidArgument("A time to wait must not be negative: " + maxWait);
    }
    this.time = time;
    this.maxWait = maxWait;
    this.deadline = time.nanoTime() + TimeSource.saturatedNanos(maxWait);
  }

  /** Returns how long the store may take to answer what it is asked now. */
  Duration attemptTime() {
    return AttemptTime.within(maxWait, deadline - time.nanoTime());
  }

  /** Returns how long to wait, unless that is in vain: it never takes less than the store says. */
  long nanosFor(RateDecision.Limited limited) {
    long nanos = limited.retryAfter().toNanos();
    if (nanos > deadline - time.nanoTime()) {
      throw new SyncGuardException(
          Code.ACQUISITION_TIMEOUT,
          "There will be no permit for another " + limited.retryAfter() + ", which is too long");
    }
    return nanos;
  }
}
