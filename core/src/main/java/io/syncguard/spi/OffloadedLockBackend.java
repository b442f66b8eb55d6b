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
import java.util.function.Supplier;

/** Runs a blocking backend's operations in an executor. */
final class OffloadedLockBackend implements AsyncLockBackend {

  private final LockBackend blocking;
  private final Executor executor;

  OffloadedLockBackend(LockBackend blocking, Executor executor) {
    this.blocking = blocking;
    this.executor = executor;
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal) {
    return offload(() -> blocking.acquire(request, signal));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout) {
    return offload(() -> blocking.release(lock, timeout));
  }

  @Override
  public CompletionStage<ExtendResult> extend(
      LockReference lock, Duration ttl, CancelSignal signal) {
    return offload(() -> blocking.extend(lock, ttl, signal));
  }

  @Override
  public CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal) {
    return offload(() -> blocking.isLocked(key, signal));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal) {
    return offload(() -> blocking.lookup(key, signal));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal) {
    return offload(() -> blocking.lookup(lockId, signal));
  }

  private <T> CompletionStage<T> offload(Supplier<T> operation) {
    return Stages.offload(executor, operation);
  }
}
