package io.syncguard.telemetry;

import io.syncguard.CancelSignal;
import io.syncguard.internal.LockRefusals;
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
import org.jspecify.annotations.Nullable;

/** A backend whose operations are reported. */
final class ObservedLockBackend implements LockBackend, LockRefusals {

  private final LockBackend backend;
  private final LockEvents events;
  private final AsyncLockBackend async;

  ObservedLockBackend(LockBackend backend, LockEvents events) {
    this.backend = backend;
    this.events = events;
    this.async = new ObservedAsyncLockBackend(backend.async(), events);
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
  public Optional<LockWatch> watch(ResourceKey key, Runnable hint) {
    return backend.watch(key, hint);
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    return events
        .begin(LockEvent.Type.ACQUIRE, request.key(), request.lockId())
        .observe(() -> backend.acquire(request, signal), Outcomes::acquired);
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return events
        .begin(LockEvent.Type.RELEASE, lock.key(), lock.lockId())
        .observe(() -> backend.release(lock, timeout), Outcomes::released);
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    return events
        .begin(LockEvent.Type.EXTEND, lock.key(), lock.lockId())
        .observe(() -> backend.extend(lock, ttl, signal), Outcomes::extended);
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    return events
        .begin(LockEvent.Type.IS_LOCKED, key, null)
        .observe(() -> backend.isLocked(key, signal), Outcomes::answered);
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    return events
        .begin(LockEvent.Type.LOOKUP, key, null)
        .observe(() -> backend.lookup(key, signal), Outcomes::found);
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    return events
        .begin(LockEvent.Type.LOOKUP, null, lockId)
        .observe(() -> backend.lookup(lockId, signal), Outcomes::found);
  }

  @Override
  public void threw(
      LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId, Throwable failure) {
    events.begin(type, key, lockId).threw(failure);
  }

  @Override
  public void refused(
      LockEvent.Type type, ResourceKey key, LockId lockId, LockEvent.Reason reason) {
    events.begin(type, key, lockId).failed(reason);
  }
}
