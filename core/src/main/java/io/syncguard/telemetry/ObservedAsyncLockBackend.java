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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** An asynchronous backend whose operations are reported. */
final class ObservedAsyncLockBackend implements AsyncLockBackend {

  private final AsyncLockBackend backend;
  private final EventQueue events;

  ObservedAsyncLockBackend(AsyncLockBackend backend, EventQueue events) {
    this.backend = backend;
    this.events = events;
  }

  @Override
  public boolean isPipelined() {
    return backend.isPipelined();
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(AcquireRequest request, CancelSignal signal) {
    EventQueue.Operation operation =
        events.begin(LockEvent.Type.ACQUIRE, request.key(), request.lockId());
    return observe(operation, backend.acquire(request, signal), Outcomes::acquired);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockReference lock, Duration timeout) {
    EventQueue.Operation operation =
        events.begin(LockEvent.Type.RELEASE, lock.key(), lock.lockId());
    return observe(operation, backend.release(lock, timeout), Outcomes::released);
  }

  /** Two events, or none where nothing was done. */
  @Override
  public CompletionStage<Optional<AcquireAttempt.Granted>> handOver(
      LockReference lock, AcquireRequest next, Duration timeout) {
    EventQueue.Operation release = events.begin(LockEvent.Type.RELEASE, lock.key(), lock.lockId());
    EventQueue.Operation acquire = events.begin(LockEvent.Type.ACQUIRE, next.key(), next.lockId());
    CompletionStage<Optional<AcquireAttempt.Granted>> stage =
        observe(release, backend.handOver(lock, next, timeout), ObservedAsyncLockBackend::ifDone);
    return observe(acquire, stage, ObservedAsyncLockBackend::ifDone);
  }

  private static void ifDone(
      EventQueue.Operation operation, Optional<AcquireAttempt.Granted> granted) {
    if (granted.isPresent()) {
      operation.succeeded();
    }
  }

  @Override
  public CompletionStage<ExtendResult> extend(
      LockReference lock, Duration ttl, CancelSignal signal) {
    EventQueue.Operation operation = events.begin(LockEvent.Type.EXTEND, lock.key(), lock.lockId());
    return observe(operation, backend.extend(lock, ttl, signal), Outcomes::extended);
  }

  @Override
  public CompletionStage<Boolean> isLocked(ResourceKey key, CancelSignal signal) {
    EventQueue.Operation operation = events.begin(LockEvent.Type.IS_LOCKED, key, null);
    return observe(operation, backend.isLocked(key, signal), Outcomes::answered);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(ResourceKey key, CancelSignal signal) {
    EventQueue.Operation operation = events.begin(LockEvent.Type.LOOKUP, key, null);
    return observe(operation, backend.lookup(key, signal), Outcomes::found);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId, CancelSignal signal) {
    EventQueue.Operation operation = events.begin(LockEvent.Type.LOOKUP, null, lockId);
    return observe(operation, backend.lookup(lockId, signal), Outcomes::found);
  }

  /** The caller learns of the result after the event was noted, so that events are in order. */
  private static <T> CompletionStage<T> observe(
      EventQueue.Operation operation,
      CompletionStage<T> stage,
      BiConsumer<EventQueue.Operation, T> outcome) {
    CompletableFuture<T> observed = new CompletableFuture<>();
    stage.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            outcome.accept(operation, result);
            observed.complete(result);
          } else {
            operation.threw(failure);
            observed.completeExceptionally(failure);
          }
        });
    return observed;
  }
}
