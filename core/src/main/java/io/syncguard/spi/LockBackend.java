package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.Optional;

/**
 * The locks of one store. Each operation is a single, atomic attempt; retrying, waiting, handles
 * and telemetry are built on top of it. Thread-safe.
 *
 * <p>All operations decide by {@link Liveness#isLive} on the clock that {@link #capabilities}
 * names. They block, and fail with a {@link SyncGuardException}: {@code ABORTED} if the signal is
 * cancelled or the thread interrupted (whose interrupt flag is then set), and with {@link
 * SyncGuardException#isOutcomeUnknown} where the store may have carried out what was asked.
 */
public interface LockBackend {

  /** Returns at once what these locks can do. */
  LockCapabilities capabilities();

  /** Returns the same operations without blocking. */
  AsyncLockBackend async();

  /**
   * Returns an id for a new lock on the key. A store that has to find a lock by its id may mark it.
   */
  default LockId newLockId(ResourceKey key) {
    return LockId.random();
  }

  /** Takes the lock if nobody holds it. */
  AcquireAttempt acquire(AcquireRequest request, CancelSignal signal);

  /**
   * Releases the lock if it is held under this id. Verifies ownership before expiry, so that a late
   * release cannot free the next holder's lock.
   *
   * @param timeout after which to fail with NETWORK_TIMEOUT; a release cannot be cancelled
   *     otherwise
   */
  ReleaseResult release(LockReference lock, Duration timeout);

  /** Sets the lock's expiry to now plus the ttl if it is held under this id. */
  ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal);

  /** Returns whether anybody holds the lock. Changes nothing. */
  boolean isLocked(ResourceKey key, CancelSignal signal);

  /** Returns the live lock on the key. Changes nothing. */
  Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal);

  /** Returns the live lock with this id. Changes nothing. */
  Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal);

  /**
   * Opens a waiter's interest in a key and returns at once; empty if this store cannot notify and
   * has to be polled. From then on, after an {@link AcquireRequest#watched} attempt was contended,
   * the hint runs when the lock may have become free. It may run at other times too, in any thread,
   * and must not block.
   */
  default Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    return Optional.empty();
  }
}
