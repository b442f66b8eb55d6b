package io.syncguard.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.util.Optional;

/**
 * At most so many hold a permit of this name at a time, across all processes, first come, first
 * served. Dead holders lose their slot, and dead waiters their place in the queue. Thread-safe.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT when the name is in use with
 * another limit, ABORTED when the thread is interrupted (the interrupt flag stays set), others as
 * the store fails.
 */
public interface FairSemaphore {

  /** Returns the semaphore's name, raw, after NFC. */
  String name();

  /** Returns how many may hold a permit, as far as this process knows. */
  int limit();

  /**
   * Returns the same semaphore, whose operations fail with ABORTED once the signal is cancelled.
   */
  FairSemaphore cancelledBy(CancelSignal signal);

  /** Returns the same semaphore for callers that must not block. */
  AsyncFairSemaphore async();

  /**
   * Blocks until there is a permit, for as long as the options say; see {@link #acquire(Duration)}.
   */
  Permit acquire();

  /**
   * Blocks until there is a permit, behind all who came before. Passing failures of the store are
   * waited out. When the wait ends without a permit, however it ends, the place in the queue is
   * given up at once.
   *
   * @throws SyncGuardException with code ACQUISITION_TIMEOUT if there was none within the time
   */
  Permit acquire(Duration maxWait);

  /**
   * Blocks for a single attempt: succeeds only if a slot is free and the queue is empty. A permit
   * that arrives when its time is over is given back, and fails with NETWORK_TIMEOUT.
   */
  Optional<Permit> tryAcquire();

  /** Blocks while the store looks whether an attempt would have to wait. For information only. */
  default boolean isLocked() {
    return stats().isLocked();
  }

  /** Blocks while the store looks how the semaphore is used. For information only. */
  SemaphoreStats stats();

  /**
   * Blocks while the store changes the limit, for all clients. Permits beyond a smaller limit stay
   * valid, and one that is just being handed to the next in another process may still be; waiters
   * keep their places. From then on, an acquisition with the old limit is refused, in other
   * processes too, until they use the new one.
   *
   * @return false if there is neither a holder nor a waiter: the next acquisition then sets the
   *     limit
   */
  boolean resize(int newLimit);
}
