package io.syncguard.telemetry;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockCapabilities.TimeAuthority;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Optional;

/** Fails every operation as no in-memory store can. */
final class FailingLockBackend implements LockBackend {

  private final AsyncLockBackend async = AsyncLockBackend.of(this, Runnable::run);
  private final Throwable failure;

  FailingLockBackend(RuntimeException failure) {
    this.failure = failure;
  }

  FailingLockBackend(Error failure) {
    this.failure = failure;
  }

  private RuntimeException failure() {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  @Override
  public LockCapabilities capabilities() {
    return new LockCapabilities("failing", true, TimeAuthority.SERVER);
  }

  @Override
  public AsyncLockBackend async() {
    return async;
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    throw failure();
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    throw failure();
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    throw failure();
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    throw failure();
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    throw failure();
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    throw failure();
  }
}
