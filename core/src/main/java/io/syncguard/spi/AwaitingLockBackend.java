package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.Optional;

/**
 * The blocking operations of a store whose own are asynchronous: each waits for its stage. The
 * stages must complete by themselves in the end, and at once when the signal is cancelled.
 */
public abstract class AwaitingLockBackend implements LockBackend {

  private final AsyncLockBackend async;

  /** Blocks for the given operations. */
  protected AwaitingLockBackend(AsyncLockBackend async) {
    this.async = async;
  }

  @Override
  public final AsyncLockBackend async() {
    return async;
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    return Stages.await(async.acquire(request, signal));
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return Stages.await(async.release(lock, timeout));
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    return Stages.await(async.extend(lock, ttl, signal));
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    return Stages.await(async.isLocked(key, signal));
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    return Stages.await(async.lookup(key, signal));
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    return Stages.await(async.lookup(lockId, signal));
  }
}
