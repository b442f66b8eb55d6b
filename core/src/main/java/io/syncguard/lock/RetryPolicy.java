package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Objects;

/**
 * How often, and how long apart, a waiting acquisition asks the store again when nothing wakes it
 * before.
 *
 * <p>A retry is an attempt that a timer caused, and that the store failed, or that was made because
 * the store cannot notify. Where the store tells its waiters of a release, they wait for that until
 * their time is over, and what they ask in between, in case a notice was lost, is not limited.
 */
public final class RetryPolicy {

  private static final RetryPolicy DEFAULTS =
      new RetryPolicy(10, Duration.ofMillis(100), Backoff.EXPONENTIAL, Jitter.EQUAL);

  /** How the pause grows from one retry to the next. */
  public enum Backoff {
    /** It doubles, up to 5 s. */
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

  private final int maxRetries;
  private final Duration delay;
  private final Backoff backoff;
  private final Jitter jitter;

  private RetryPolicy(int maxRetries, Duration delay, Backoff backoff, Jitter jitter) {
    if (maxRetries < 0) {
      throw SyncGuardException.invalidArgument(
          "maxRetries must not be negative, it is " + maxRetries);
    }
    if (delay.isNegative()) {
      throw SyncGuardException.invalidArgument("The retry delay must not be negative: " + delay);
    }
    this.maxRetries = maxRetries;
    this.delay = delay;
    this.backoff = backoff;
    this.jitter = jitter;
  }

  /** Returns 10 retries, from 100 ms on, doubling, half of it random. */
  public static RetryPolicy defaults() {
    return DEFAULTS;
  }

  /** Returns this policy with so many retries at most; 0 means a single attempt, on any store. */
  public RetryPolicy withMaxRetries(int maxRetries) {
    return new RetryPolicy(maxRetries, delay, backoff, jitter);
  }

  /** Returns this policy with another pause before the first retry. */
  public RetryPolicy withDelay(Duration delay) {
    return new RetryPolicy(maxRetries, delay, backoff, jitter);
  }

  /** Returns this policy with pauses that grow in another way. */
  public RetryPolicy withBackoff(Backoff backoff) {
    return new RetryPolicy(maxRetries, delay, backoff, jitter);
  }

  /** Returns this policy with another part of the pauses left to chance. */
  public RetryPolicy withJitter(Jitter jitter) {
    return new RetryPolicy(maxRetries, delay, backoff, jitter);
  }

  /**
   * Returns how many retries at most; 0 means a single attempt, on any store. It counts only if it
   * was asked for by {@link LockOptions#withRetry}: otherwise the timeout alone ends a wait.
   */
  public int maxRetries() {
    return maxRetries;
  }

  /** Returns the pause before the first retry. */
  public Duration delay() {
    return delay;
  }

  /** Returns how the pause grows. */
  public Backoff backoff() {
    return backoff;
  }

  /** Returns how much of the pause is left to chance. */
  public Jitter jitter() {
    return jitter;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RetryPolicy that
        && maxRetries == that.maxRetries
        && delay.equals(that.delay)
        && backoff == that.backoff
        && jitter == that.jitter;
  }

  @Override
  public int hashCode() {
    return Objects.hash(maxRetries, delay, backoff, jitter);
  }

  @Override
  public String toString() {
    return "RetryPolicy[maxRetries="
        + maxRetries
        + ", delay="
        + delay
        + ", backoff="
        + backoff
        + ", jitter="
        + jitter
        + "]";
  }
}
