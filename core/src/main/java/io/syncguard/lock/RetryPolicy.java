package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * How often, and how long apart, a waiting acquisition asks the store again when nothing wakes it
 * before.
 *
 * @param maxRetries how often at most; a wake-up by the store does not count
 * @param delay the pause before the first retry
 * @param backoff how the pause grows
 * @param jitter how much of it is left to chance
 */
public record RetryPolicy(int maxRetries, Duration delay, Backoff backoff, Jitter jitter) {

  /** 10 retries, from 100 ms on, doubling, half of it random. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(10, Duration.ofMillis(100), Backoff.EXPONENTIAL, Jitter.EQUAL);

  /** How the pause grows from one retry to the next. */
  public enum Backoff {
    /** It doubles. */
    EXPONENTIAL,
    /** It stays the same. */
    FIXED
  }

  /** How much of the pause is left to chance, so that waiters do not come back all at once. */
  public enum Jitter {
    /** Half of it. */
    EQUAL,
    /** All of it. */
    FULL,
    /** Nothing. */
    NONE
  }

  /** Rejects what cannot work. */
  public RetryPolicy {
    if (maxRetries < 0) {
      throw SyncGuardException.invalidArgument(
          "maxRetries must not be negative, it is " + maxRetries);
    }
    if (delay.isNegative()) {
      throw SyncGuardException.invalidArgument("The retry delay must not be negative: " + delay);
    }
  }

  /** Returns the pause before a retry, in nanoseconds; the first retry has number 0. */
  long pauseNanos(int retry, RandomGenerator random) {
    long pause = TimeUnit.NANOSECONDS.convert(delay);
    if (backoff == Backoff.EXPONENTIAL) {
      pause = saturatedShift(pause, retry);
    }
    return switch (jitter) {
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
