package io.syncguard.telemetry;

import io.syncguard.CancelSignal;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** An asynchronous backend whose operations are reported. */
final class ObservedAsyncLockBackend implements AsyncLockBackend {

  private final AsyncLockBackend backend;
  private final LockEvents events;

  ObservedAsyncLockBackend(AsyncLockBackend backend, LockEvents events) {
    this.backend = backend;
    this.events = events;
  }

  @Override
  public boolean isPipelined() {
    return backend.isPipelined();
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal) {
    Operation<LockEvent.Reason> operation =
        events.begin(LockEvent.Type.ACQUIRE, request.key(), request.lockId());
    return operation.observe(backend.acquire(request, signal), Outcomes::acquired);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout) {
    Operation<LockEvent.Reason> operation =
        events.begin(LockEvent.Type.RELEASE, lock.key(), lock.lockId());
    return operation.observe(backend.release(lock, timeout), Outcomes::released);
  }

  /** Two events, or none where nothing was done. */
  @Override
  public CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
      LockReference lock, AcquireRequest next, Duration timeout) {
    Operation<LockEvent.Reason> release =
        events.begin(LockEvent.Type.RELEASE, lock.key(), lock.lockId());
    Operation<LockEvent.Reason> acquire =
        events.begin(LockEvent.Type.ACQUIRE, next.key(), next.lockId());
    CompletionStage<Optional<AcquireAttempt.Granted>> stage =
        release.observe(backend.handOver(lock, next, timeout), Outcomes::handedOver);
    return acquire.observe(stage, Outcomes::handedOver);
  }

  @Override
  public CompletionStage<ExtendResult> extend(
      LockReference lock, Duration ttl, CancelSignal signal) {
    Operation<LockEvent.Reason> operation =
        events.begin(LockEvent.Type.EXTEND, lock.key(), lock.lockId());
    return operation.observe(backend.extend(lock, ttl, signal), Outcomes::extended);
  }

  @Override
  public CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal) {
    Operation<LockEvent.Reason> operation = events.begin(LockEvent.Type.IS_LOCKED, key, null);
    return operation.observe(backend.isLocked(key, signal), Outcomes::answered);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal) {
    Operation<LockEvent.Reason> operation = events.begin(LockEvent.Type.LOOKUP, key, null);
    return operation.observe(backend.lookup(key, signal), Outcomes::found);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal) {
    Operation<LockEvent.Reason> operation = events.begin(LockEvent.Type.LOOKUP, null, lockId);
    return operation.observe(backend.lookup(lockId, signal), Outcomes::found);
  }
}
