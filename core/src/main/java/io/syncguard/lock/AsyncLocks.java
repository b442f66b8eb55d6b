package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The operations of {@link Locks} for callers that must not block. Every method returns at once,
 * also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Where a store answers through I/O threads of its own, dependent stages run in those: do not
 * block there, use the {@code ...Async} methods of {@link CompletionStage} for work that does.
 */
public final class AsyncLocks {

  private final LockEngine engine;
  private final CancelSignal signal;

  AsyncLocks(LockEngine engine, CancelSignal signal) {
    this.engine = engine;
    this.signal = signal;
  }

  /** Makes a single attempt to take the lock, for 30 s. */
  public CompletionStage<AcquireResult> acquire(String key) {
    return acquire(key, LockOptions.DEFAULT_TTL);
  }

  /** Makes a single attempt to take the lock, for the given lifetime. */
  public CompletionStage<AcquireResult> acquire(String key, Duration ttl) {
    return staged(
        () -> {
          ResourceKey resource = ResourceKey.of(key);
          Duration lifetime = Ttl.check(ttl);
          engine.throwIfCancelled(signal);
          LockId lockId = engine.backend().newLockId(resource);
          long requestedAt = engine.time().nanoTime();
          CompletableFuture<AcquireResult> result = new CompletableFuture<>();
          engine
              .backend()
              .async()
              .acquire(new AcquireRequest(resource, lockId, lifetime, false), signal)
              .whenComplete(
                  (attempt, failure) -> {
                    if (failure != null) {
                      result.completeExceptionally(
                          engine.abandon(failure, new LockReference(lockId, resource), lifetime));
                      return;
                    }
                    AcquireResult acquired =
                        engine.result(attempt, resource, lockId, lifetime, requestedAt);
                    if (!result.complete(acquired) && acquired instanceof LockHandle unwanted) {
                      unwanted.releaseAsync();
                    }
                  });
          return result;
        });
  }

  /** Waits for the lock without a thread, with the default options. */
  public CompletionStage<LockHandle> lock(String key) {
    return lock(key, LockOptions.defaults());
  }

  /** Waits for the lock without a thread; see {@link Locks#lock(String, LockOptions)}. */
  public CompletionStage<LockHandle> lock(String key, LockOptions options) {
    return staged(
        () -> {
          Acquisition acquisition = new Acquisition(engine, ResourceKey.of(key), options);
          return new AsyncWait(engine, acquisition, signal).start();
        });
  }

  /** Waits for the lock, starts the task with it, and releases it when the task's stage is done. */
  public <T> CompletionStage<T> call(String key, Function<LockHandle, CompletionStage<T>> task) {
    return call(key, LockOptions.defaults(), task);
  }

  /**
   * Waits for the lock, starts the task with it, and releases it when the task's stage is done.
   * There is no thread to interrupt on loss; use {@link LockHandle#onLost} instead.
   */
  public <T> CompletionStage<T> call(
      String key, LockOptions options, Function<LockHandle, CompletionStage<T>> task) {
    return lock(key, options)
        .thenCompose(
            lock -> {
              CompletionStage<T> running = staged(() -> task.apply(lock));
              return running
                  .handle((value, failure) -> released(lock, options))
                  .thenCompose(Function.identity())
                  .thenCompose(done -> running);
            });
  }

  private CompletionStage<Void> released(LockHandle lock, LockOptions options) {
    return lock.closeAsync(
        ReleaseErrorHandler.Source.HELPER,
        options.onReleaseError().orElse(engine.onReleaseError()));
  }

  /** Releases the lock with this id, if it is held; see {@link Locks#release}. */
  public CompletionStage<ReleaseResult> release(LockId lockId) {
    return engine.releases().async(new LockReference(lockId, null), LockOptions.DEFAULT_TTL);
  }

  /** Sets the expiry of the lock with this id to now plus the ttl. */
  public CompletionStage<ExtendResult> extend(LockId lockId, Duration ttl) {
    return staged(
        () -> {
          Duration lifetime = Ttl.check(ttl);
          engine.throwIfCancelled(signal);
          return engine.backend().async().extend(new LockReference(lockId, null), lifetime, signal);
        });
  }

  /** Tells whether anybody holds the lock. For information only. */
  public CompletionStage<Boolean> isLocked(String key) {
    return staged(
        () -> {
          ResourceKey resource = ResourceKey.of(key);
          engine.throwIfCancelled(signal);
          return engine.backend().async().isLocked(resource, signal);
        });
  }

  /** Finds the live lock on the key. For information only. */
  public CompletionStage<Optional<LockInfo>> getByKey(String key) {
    return getByKeyRaw(key).thenApply(raw -> raw.map(RawLockInfo::sanitized));
  }

  /** Finds the live lock with this id. For information only. */
  public CompletionStage<Optional<LockInfo>> getById(LockId lockId) {
    return getByIdRaw(lockId).thenApply(raw -> raw.map(RawLockInfo::sanitized));
  }

  /** As {@link #getByKey}, with raw identifiers: whoever has them can release the lock. */
  public CompletionStage<Optional<RawLockInfo>> getByKeyRaw(String key) {
    return staged(
        () -> {
          ResourceKey resource = ResourceKey.of(key);
          engine.throwIfCancelled(signal);
          return engine.backend().async().lookup(resource, signal);
        });
  }

  /** As {@link #getById}, with raw identifiers: whoever has them can release the lock. */
  public CompletionStage<Optional<RawLockInfo>> getByIdRaw(LockId lockId) {
    return staged(
        () -> {
          engine.throwIfCancelled(signal);
          return engine.backend().async().lookup(lockId, signal);
        });
  }

  /** Tells whether the lock with this id is still held. For information only. */
  public CompletionStage<Boolean> owns(LockId lockId) {
    return getByIdRaw(lockId).thenApply(Optional::isPresent);
  }

  private static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> operation) {
    try {
      return operation.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
