package io.syncguard.internal;

import io.syncguard.spi.Call;
import java.time.Duration;

/** How long a store may take to answer one attempt of a wait. */
public final class AttemptTime {

  /**
   * What an attempt gets that begins when the wait's time is nearly over, or over: a wait asks once
   * more at its end, and a store that works must be able to answer that.
   */
  private static final Duration SHORTEST = Duration.ofMillis(500);

  private AttemptTime() {}

  /**
   * Returns how long an attempt may take when so much of the wait's time is left. A wait of zero is
   * a single attempt, which only the store's own time limit ends.
   */
  public static Duration within(Duration wait, long nanosLeft) {
    if (wait.isZero()) {
      return Call.UNLIMITED;
    }
    return nanosLeft > SHORTEST.toNanos() ? Duration.ofNanos(nanosLeft) : SHORTEST;
  }
}
