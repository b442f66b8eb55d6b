package io.syncguard.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * How far this machine's clock is from a store's. It matters where each client's clock decides when
 * a lock expires: see {@link io.syncguard.spi.lock.LockCapabilities.TimeAuthority#CLIENT}.
 *
 * @param skew how far this machine is ahead; negative if it is behind
 * @param uncertainty how far the truth may be from that, either way
 */
public record ClockSkew(Duration skew, Duration uncertainty) {

  /** From here on an operator should look at the clock. */
  public static final Duration WARN_FROM = Duration.ofMillis(200);

  /** From here on locks should not be used: two machines like this use up the tolerance. */
  public static final Duration FAIL_FROM = Duration.ofMillis(500);

  /** What a skew means for locks. */
  public enum Verdict {
    /** The clocks agree well enough. */
    OK,
    /** The clocks drift apart: synchronise them before it becomes worse. */
    WARN,
    /** The clocks disagree so much that locks are not safe. */
    FAIL
  }

  /**
   * Returns what follows from one exchange with the store.
   *
   * @param before this machine's time before the store was asked
   * @param storesTime the store's time at some moment in between
   * @param after this machine's time when the answer was there
   */
  public static ClockSkew between(Instant before, Instant storesTime, Instant after) {
    Duration half = Duration.between(before, after).dividedBy(2);
    return new ClockSkew(Duration.between(storesTime, before.plus(half)), half);
  }

  /** Returns what the part of the skew means that is certain: a slow network alone is no alarm. */
  public Verdict verdict() {
    Duration certain = skew.abs().minus(uncertainty);
    if (certain.compareTo(FAIL_FROM) >= 0) {
      return Verdict.FAIL;
    }
    return certain.compareTo(WARN_FROM) >= 0 ? Verdict.WARN : Verdict.OK;
  }
}
