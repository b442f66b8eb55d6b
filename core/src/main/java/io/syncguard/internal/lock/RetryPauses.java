package io.syncguard.internal.lock;

import io.syncguard.lock.RetryPolicy;
import io.syncguard.lock.RetryPolicy.Backoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The pauses of a retry policy, in nanoseconds. */
final class RetryPauses {

  /** The longest pause that doubling leads to: how late a release is noticed without a notice. */
  private static final Duration LONGEST_DOUBLED = Duration.ofSeconds(5);

  private RetryPauses() {}

  /** Returns the pause before a retry; the first retry has number 0. */
  static long nanosBefore(int retry, RetryPolicy policy, RandomGenerator random) {
    long pause = TimeUnit.NANOSECONDS.convert(policy.delay());
    if (policy.backoff() == Backoff.EXPONENTIAL) {
      long longest = Math.max(pause, LONGEST_DOUBLED.toNanos());
      pause = Math.min(saturatedShift(pause, retry), longest);
    }
    return switch (policy.jitter()) {
      case NONE -> pause;
      case EQUAL -> pause / 2 + upTo(pause - pause / 2, random);
      case FULL -> upTo(pause, random);
    };
  }

  private static long saturatedShift(long nanos, int doublings) {
    boolean overflows = nanos != 0 && doublings >= Long.numberOfLeadingZeros(nanos);
    return overflows ? Long.MAX_VALUE : nanos << doublings;
  }

  private static long upTo(long nanos, RandomGenerator random) {
    return nanos == Long.MAX_VALUE ? random.nextLong(nanos) : random.nextLong(nanos + 1);
  }
}
