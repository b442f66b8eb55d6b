package io.syncguard.limit;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.time.Duration;

/**
 * Allows so many in a time, across all processes: in any time at most the rate times that time plus
 * the burst, by the store's clock. Thread-safe.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT for more permits than the burst,
 * ABORTED when the thread is interrupted (the interrupt flag stays set), others as the store fails.
 * Nothing is repeated: after a failure that {@linkplain SyncGuardException#isOutcomeUnknown may
 * have} been carried out, permits may have been used up.
 */
public interface RateLimiter {

  /** Returns the limiter's name, raw, after NFC. */
  String name();

  /** Returns the same limiter, whose operations fail with ABORTED once the signal is cancelled. */
  RateLimiter cancelledBy(CancelSignal signal);

  /** Returns the same limiter for callers that must not block. */
  AsyncRateLimiter async();

  /** Blocks for a single attempt to get one permit. */
  default RateDecision tryAcquire() {
    return tryAcquire(1);
  }

  /** Blocks for a single attempt to get so many permits, all or none; at most the burst. */
  RateDecision tryAcquire(long permits);

  /** Blocks until there is one permit; see {@link #acquire(long, Duration)}. */
  default void acquire(Duration maxWait) {
    acquire(1, maxWait);
  }

  /**
   * Blocks until there are so many permits; at most the burst. A waiter has no place in a queue:
   * when the time has come it asks the store again, and another client may have been faster.
   *
   * @throws SyncGuardException with code ACQUISITION_TIMEOUT as soon as it is known that there will
   *     be none within the time
   */
  void acquire(long permits, Duration maxWait);
}
