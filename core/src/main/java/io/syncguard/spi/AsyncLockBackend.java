package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.AttemptTime;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The operations of {@link LockBackend} without blocking. A failure completes the stage with the
 * {@link SyncGuardException} that the blocking operation would throw.
 */
public interface AsyncLockBackend {

  /** Returns the operations of a backend that only blocks, each run by the executor. */
  static AsyncLockBackend of(LockBackend blocking, Executor executor) {
    return of(blocking, executor, AttemptTime.UNLIMITED);
  }

  /**
   * Returns the operations of a backend that only blocks, each run by the executor. One that it has
   * not begun after the timeout fails with SERVICE_UNAVAILABLE and is not carried out.
   */
  static AsyncLockBackend of(LockBackend blocking, Executor executor, Duration timeout) {
    return new OffloadedLockBackend(blocking, executor, timeout);
  }

  /**
   * Blocks for the answer of an operation; fails as the blocking operation would, with {@code
   * ABORTED} if the thread is interrupted before.
   */
  static <T> T await(CompletionStage<T> stage) {
    return Stages.await(stage);
  }

  /**
   * Returns whether operations on a lock that a thread begins one after another reach the store in
   * that order, and without blocking the thread. A waiter's attempt may then be sent right behind a
   * release, before that is answered, and in the thread that hints.
   */
  default boolean isPipelined() {
    return false;
  }

  /** Takes the lock if nobody holds it. */
  CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal);

  /** Releases the lock if it is held under this id. */
  CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout);

  /**
   * Releases a lock and takes it for another waiter in one step, or changes nothing and answers
   * with empty, as a store may at any time: it is then released and asked for separately. Used only
   * where {@link #isPipelined}.
   */
  default CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
      LockReference lock, AcquireRequest next, Duration timeout) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** Sets the lock's expiry to now plus the ttl if it is held under this id. */
  CompletionStage<ExtendResult> extend(LockReference lock, Duration ttl, CancelSignal signal);

  /** Tells whether anybody holds the lock. */
  CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal);

  /** Finds the live lock on the key. */
  CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal);

  /** Finds the live lock with this id. */
  CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal);
}
