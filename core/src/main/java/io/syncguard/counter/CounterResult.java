package io.syncguard.counter;

import java.time.Instant;

/** How an increment ended. */
public sealed interface CounterResult {

  /** Returns when the window ends and counting begins anew, by the store's clock. */
  Instant resetAt();

  /** Returns whether it was counted. */
  default boolean isCounted() {
    return this instanceof Counted;
  }

  /**
   * It was counted.
   *
   * @param count how many there were in the window, this one included
   * @param remaining how many more are allowed in it
   * @param resetAt when the window ends
   */
  record Counted(long count, long remaining, Instant resetAt) implements CounterResult {}

  /**
   * There were as many as are allowed; nothing was counted.
   *
   * @param resetAt when the window ends
   */
  record LimitReached(Instant resetAt) implements CounterResult {}
}
