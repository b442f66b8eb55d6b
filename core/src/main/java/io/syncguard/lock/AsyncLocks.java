package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.telemetry.LockEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations of {@link Locks} for callers that must not block. Every method returns at once,
 * also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Continuations run in threads that may block: see {@link
 * io.syncguard.GuardOptions#withExecutor}.
 */
public final class AsyncLocks {

  private final LockEngine engine;
  private final CancelSignal signal;

  AsyncLocks(LockEngine engine, CancelSignal signal) {
    this.engine = engine;
    this.signal = signal;
  }

  /** Makes a single attempt to take the lock, for 30 s. */
  public CompletionStage<AcquireResult> tryLock(String key) {
    return tryLock(key, LockOptions.DEFAULT_TTL);
  }

  /** Makes a single attempt to take the lock, for the given lifetime. */
  public CompletionStage<AcquireResult> tryLock(String key, Duration ttl) {
    return beginAcquiring(
        () -> engine.holdings().during(() -> attempting(key, ttl)), AsyncLocks::giveBack);
  }

  private CompletableFuture<AcquireResult> attempting(String key, Duration ttl) {
    ResourceKey resource = engine.checks().key(LockEvent.Type.ACQUIRE, key);
    Duration lifetime = engine.checks().ttl(LockEvent.Type.ACQUIRE, resource, null, ttl);
    engine
        .checks()
        .pass(
            LockEvent.Type.ACQUIRE,
            resource,
            null,
            () -> engine.entrance().throwIfCancelled(signal));
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
              try {
                AcquireResult acquired =
                    engine.result(attempt, resource, lockId, lifetime, requestedAt);
                if (!result.complete(acquired)) {
                  giveBack(acquired);
                }
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  /** Waits for the lock without a thread, with the default options. */
  public CompletionStage<LockHandle> lock(String key) {
    return lock(key, LockOptions.defaults());
  }

  /** Waits for the lock without a thread; see {@link Locks#lock(String, LockOptions)}. */
  public CompletionStage<LockHandle> lock(String key, LockOptions options) {
    return beginAcquiring(() -> acquiring(key, options), AsyncLocks::giveBack);
  }

  private CompletableFuture<LockHandle> acquiring(String key, LockOptions options) {
    Acquisition acquisition =
        new Acquisition(engine, engine.checks().key(LockEvent.Type.ACQUIRE, key), options);
    return new AsyncWait(engine, acquisition, signal).start();
  }

  /** Waits for the lock, starts the task with it, and releases it when the task's stage is done. */
  public <T> CompletionStage<T> call(String key, Function<LockHandle, CompletionStage<T>> task) {
    return call(key, LockOptions.defaults(), task);
  }

  /**
   * Waits for the lock, starts the task with it, and releases it when the task's stage is done. The
   * lock is extended meanwhile, and a loss fails the call, as {@link Locks#call(String,
   * LockOptions, LockCall)} says. The task starts where continuations run, and may block there.
   * There is no thread to interrupt on loss; use {@link LockHandle#onLost} instead. Who completes
   * the returned future before, by a timeout or by cancelling it, ends the wait for the lock; a
   * task that has begun keeps the lock until its stage is done.
   */
  public <T> CompletionStage<T> call(
      String key, LockOptions options, Function<LockHandle, CompletionStage<T>> task) {
    return beginAcquiring(
        () -> new AsyncCall<>(engine, task).start(acquiring(key, options.forTask())), value -> {});
  }

  /** Releases the lock with this id, if it is held; see {@link Locks#release}. */
  public CompletionStage<ReleaseResult> release(LockId lockId) {
    return begin(
        () -> {
          LockReference lock = engine.checks().id(LockEvent.Type.RELEASE, lockId);
          engine.checks().pass(LockEvent.Type.RELEASE, null, lockId, engine::throwIfClosed);
          return engine.releases().async(lock, LockOptions.DEFAULT_TTL);
        });
  }

  /** Sets the expiry of the lock with this id to now plus the ttl. */
  public CompletionStage<ExtendResult> extend(LockId lockId, Duration ttl) {
    return begin(
        () -> {
          LockReference lock = engine.checks().id(LockEvent.Type.EXTEND, lockId);
          Duration lifetime = engine.checks().ttl(LockEvent.Type.EXTEND, null, lockId, ttl);
          pass(LockEvent.Type.EXTEND, null, lockId);
          return engine.backend().async().extend(lock, lifetime, signal);
        });
  }

  /** Tells whether anybody holds the lock. For information only. */
  public CompletionStage<Boolean> isLocked(String key) {
    return begin(
        () -> {
          ResourceKey resource = engine.checks().key(LockEvent.Type.IS_LOCKED, key);
          pass(LockEvent.Type.IS_LOCKED, resource, null);
          return engine.backend().async().isLocked(resource, signal);
        });
  }

  /** Finds the live lock on the key. For information only. */
  public CompletionStage<Optional<LockInfo>> getByKey(String key) {
    return begin(() -> lookup(key).thenApply(raw -> raw.map(RawLockInfo::sanitized)));
  }

  /** Finds the live lock with this id. For information only. */
  public CompletionStage<Optional<LockInfo>> getById(LockId lockId) {
    return begin(() -> lookup(lockId).thenApply(raw -> raw.map(RawLockInfo::sanitized)));
  }

  /** As {@link #getByKey}, with raw identifiers: whoever has them can release the lock. */
  public CompletionStage<Optional<RawLockInfo>> getByKeyRaw(String key) {
    return begin(() -> lookup(key));
  }

  /** As {@link #getById}, with raw identifiers: whoever has them can release the lock. */
  public CompletionStage<Optional<RawLockInfo>> getByIdRaw(LockId lockId) {
    return begin(() -> lookup(lockId));
  }

  /** Tells whether the lock with this id is still held. For information only. */
  public CompletionStage<Boolean> owns(LockId lockId) {
    return begin(() -> lookup(lockId).thenApply(Optional::isPresent));
  }

  private CompletionStage<Optional<RawLockInfo>> lookup(String key) {
    ResourceKey resource = engine.checks().key(LockEvent.Type.LOOKUP, key);
    pass(LockEvent.Type.LOOKUP, resource, null);
    return engine.backend().async().lookup(resource, signal);
  }

  private CompletionStage<Optional<RawLockInfo>> lookup(LockId lockId) {
    engine.checks().id(LockEvent.Type.LOOKUP, lockId);
    pass(LockEvent.Type.LOOKUP, null, lockId);
    return engine.backend().async().lookup(lockId, signal);
  }

  private void pass(LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId) {
    engine.checks().pass(type, key, lockId, () -> engine.throwIfCancelled(signal));
  }

  private <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> operation) {
    return engine.continuations().handOut(operation);
  }

  private <T> CompletionStage<T> beginAcquiring(
      Supplier<CompletableFuture<T>> acquisition, Consumer<T> giveBack) {
    return engine.continuations().handOutAcquired(acquisition, giveBack);
  }

  private static void giveBack(AcquireResult unwanted) {
    if (unwanted instanceof LockHandle lock) {
      lock.releasing();
    }
  }
}
