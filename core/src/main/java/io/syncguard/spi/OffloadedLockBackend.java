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

/** Runs a blocking backend's operations in an executor. */
final class OffloadedLockBackend implements AsyncLockBackend {

  private final LockBackend blocking;
  private final Offloading threads;

  OffloadedLockBackend(LockBackend blocking, Executor executor, Duration timeout) {
    this.blocking = blocking;
    this.threads = new Offloading(executor, timeout);
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal) {
    return threads.offload(
        request.timeout(), signal, left -> blocking.acquire(request.within(left), signal));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout) {
    return threads.offload(timeout, CancelSignal.never(), left -> blocking.release(lock, left));
  }

  @Override
  public CompletionStage<ExtendResult> extend(
      LockReference lock, Duration ttl, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.extend(lock, ttl, signal));
  }

  @Override
  public CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.isLocked(key, signal));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.lookup(key, signal));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.lookup(lockId, signal));
  }
}
