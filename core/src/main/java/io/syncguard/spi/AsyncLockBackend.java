package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The operations of {@link LockBackend} without blocking. A failure completes the stage with the
 * {@link io.syncguard.SyncGuardException} that the blocking operation would throw.
 */
public interface AsyncLockBackend {

  /** Returns the operations of a backend that only blocks, each run by the executor. */
  static AsyncLockBackend of(LockBackend blocking, Executor executor) {
    return new OffloadedLockBackend(blocking, executor);
  }

  /** Takes the lock if nobody holds it. */
  CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal);

  /** Releases the lock if it is held under this id. */
  CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout);

  /** Sets the lock's expiry to now plus the ttl if it is held under this id. */
  CompletionStage<ExtendResult> extend(LockReference lock, Duration ttl, CancelSignal signal);

  /** Tells whether anybody holds the lock. */
  CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal);

  /** Finds the live lock on the key. */
  CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal);

  /** Finds the live lock with this id. */
  CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal);
}
