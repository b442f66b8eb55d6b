package io.syncguard.spi.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Watch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The locks of one store. Each operation is a single, atomic attempt; retrying, waiting, handles
 * and telemetry are built on top of it. Thread-safe.
 *
 * <p>All operations decide by {@link Liveness#isLive} on the clock that {@link #capabilities}
 * names. How they block and fail is the same for every primitive: {@link OperationExecutor}.
 */
public interface LockBackend {

  /** Returns at once what these locks can do. */
  LockCapabilities capabilities();

  /**
   * Returns an id for a new lock on the key. A store that has to find a lock by its id may mark it.
   */
  default LockId newLockId(ResourceKey key) {
    return LockId.random();
  }

  /** Takes the lock if it is free. */
  CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call);

  /**
   * Releases the lock if it is held under this id. Verifies ownership before expiry, so that a late
   * release cannot free the next holder's lock.
   */
  CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call);

  /**
   * Releases a lock and takes it for another waiter in one step, or changes nothing and answers
   * with empty, as a store may at any time: it is then released and asked for separately. Used only
   * where {@link #isPipelined}.
   */
  default CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
      LockOperation.HandOver handOver, Call call) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** Sets the lock's expiry to now plus the ttl if it is held under this id. */
  CompletionStage<ExtendResult> extend(LockOperation.Extend extend, Call call);

  /** Tells whether the lock is held. Changes nothing. */
  CompletionStage<Boolean> isLocked(LockOperation.IsLocked question, Call call);

  /** Finds the live lock on the key. Changes nothing. */
  CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindByKey question, Call call);

  /** Finds the live lock with this id. Changes nothing. */
  CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindById question, Call call);

  /**
   * Returns whether operations on a lock that a thread begins one after another reach the store in
   * that order, and without blocking the thread. A waiter's attempt may then be sent right behind a
   * release, before that is answered, and in the thread that hints.
   */
  default boolean isPipelined() {
    return false;
  }

  /**
   * Opens a waiter's interest in a key and returns at once; empty if this store cannot notify and
   * has to be polled. From then on, after a {@link LockOperation.Acquire#watched} attempt was
   * contended, the hint runs when the lock may have become free. It may run at other times too, in
   * any thread, and must not block.
   *
   * @throws SyncGuardException if the store is closed
   */
  default Optional<Watch> watch(ResourceKey key, Runnable hint) {
    return Optional.empty();
  }
}
