package io.syncguard.limit;

import java.time.Duration;

/** Whether something may be done now. */
public sealed interface RateDecision {

  /** Returns whether it may be done now. */
  default boolean isAllowed() {
    return this instanceof Allowed;
  }

  /** It may be done now, and has been counted. */
  record Allowed() implements RateDecision {}

  /**
   * It may not be done yet, and nothing was counted.
   *
   * @param retryAfter how long until it would be allowed, if no other client gets ahead
   */
  record Limited(Duration retryAfter) implements RateDecision {}
}
