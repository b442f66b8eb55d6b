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
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Uses a backend's asynchronous operations only, so that one test can try both kinds. */
record JoinedLockBackend(LockBackend backend) implements LockBackend {

  @Override
  public LockCapabilities capabilities() {
    return backend.capabilities();
  }

  @Override
  public AsyncLockBackend async() {
    return backend.async();
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    return join(async().acquire(request, signal));
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return join(async().release(lock, timeout));
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    return join(async().extend(lock, ttl, signal));
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    return join(async().isLocked(key, signal));
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    return join(async().lookup(key, signal));
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    return join(async().lookup(lockId, signal));
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw (Error) e.getCause();
    }
  }
}
