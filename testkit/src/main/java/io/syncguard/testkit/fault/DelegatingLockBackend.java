package io.syncguard.testkit.fault;

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
import io.syncguard.spi.LockReference;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Passes everything on to a backend; for tests that change one thing about it. Its asynchronous
 * operations are the blocking ones, so that a change need be made once only.
 */
public abstract class DelegatingLockBackend implements LockBackend {

  private final LockBackend backend;
  private final AsyncLockBackend async = AsyncLockBackend.of(this, BlockingThreads::execute);

  /** Passes on to the given backend. */
  protected DelegatingLockBackend(LockBackend backend) {
    this.backend = backend;
  }

  @Override
  public LockCapabilities capabilities() {
    return backend.capabilities();
  }

  @Override
  public AsyncLockBackend async() {
    return async;
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return backend.newLockId(key);
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    return backend.acquire(request, signal);
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return backend.release(lock, timeout);
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    return backend.extend(lock, ttl, signal);
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    return backend.isLocked(key, signal);
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    return backend.lookup(key, signal);
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    return backend.lookup(lockId, signal);
  }

  @Override
  public Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    return backend.watch(key, hint);
  }
}
