package io.syncguard.counter;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Optional;

/**
 * Counters that count up to a limit in a fixed window, across all processes. Thread-safe.
 *
 * <p>The window begins with the first hit and ends a fixed time later, whatever comes in between;
 * the next hit begins another. So twice the limit can come around the end of a window: use a {@link
 * io.syncguard.limit.RateLimiter} where that matters.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT for bad arguments, before anything
 * is written; ABORTED when the thread is interrupted (the interrupt flag stays set), others as the
 * store fails. Nothing is repeated: after a failure that {@linkplain
 * SyncGuardException#isOutcomeUnknown may have} been carried out, one may have been counted.
 */
public interface Counters {

  /** The most that a counter can be told to count to: exact in every store. */
  long MOST = (1L << 53) - 1;

  /** Returns the same counters, whose operations fail with ABORTED once the signal is cancelled. */
  Counters cancelledBy(CancelSignal signal);

  /** Returns the same counters for callers that must not block. */
  AsyncCounters async();

  /**
   * Blocks while the store counts one, unless there were as many as are allowed.
   *
   * @param max how many are allowed in a window; from 1 to {@link #MOST}
   * @param window how long a window lasts; one that is under way keeps the end that it has
   * @throws SyncGuardException with code INVALID_ARGUMENT for a max or a window that cannot be, or
   *     a key that is empty, longer than 512 bytes or not valid Unicode
   */
  CounterResult increment(String key, long max, Duration window);

  /** Blocks while the store looks how far a counter has come; empty if no window is under way. */
  Optional<CounterState> current(String key);

  /** Blocks while the store ends a window; returns whether one was under way. */
  boolean reset(String key);
}
