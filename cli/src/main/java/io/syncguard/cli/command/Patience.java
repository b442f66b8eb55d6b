package io.syncguard.cli.command;

import io.syncguard.lock.RetryPolicy;
import java.time.Duration;

/** How commands wait for a lock. */
final class Patience {

  static final Duration FOREVER = Duration.ofDays(36500);

  /** Waiters are woken by the store; this is for when that fails, and for stores that cannot. */
  static final RetryPolicy RETRIES =
      RetryPolicy.defaults()
          .withMaxRetries(Integer.MAX_VALUE)
          .withDelay(Duration.ofSeconds(1))
          .withBackoff(RetryPolicy.Backoff.FIXED)
          .withJitter(RetryPolicy.Jitter.EQUAL);

  private Patience() {}
}
