package io.syncguard.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The operations of {@link Locks} for callers that must not block. Every method returns at once,
 * also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Continuations run in threads that may block: see {@link
 * io.syncguard.GuardOptions#withExecutor}.
 */
public interface AsyncLocks {

  /** Makes a single attempt to take the lock, for 30 s. */
  default CompletionStage<AcquireResult> tryLock(String key) {
    return tryLock(key, LockOptions.DEFAULT_TTL);
  }

  /** Makes a single attempt to take the lock, for the given lifetime. */
  CompletionStage<AcquireResult> tryLock(String key, Duration ttl);

  /** Waits for the lock without a thread, with the default options. */
  default CompletionStage<LockHandle> lock(String key) {
    return lock(key, LockOptions.defaults());
  }

  /** Waits for the lock without a thread; see {@link Locks#lock(String, LockOptions)}. */
  CompletionStage<LockHandle> lock(String key, LockOptions options);

  /** Waits for the lock, starts the task with it, and releases it when the task's stage is done. */
  default <T> CompletionStage<T> call(String key, Function<LockHandle, CompletionStage<T>> task) {
    return call(key, LockOptions.defaults(), task);
  }

  /**
   * Waits for the lock, starts the task with it, and releases it when the task's stage is done. The
   * lock is extended meanwhile, and a loss fails the call, as {@link Locks#call(String,
   * LockOptions, LockCall)} says. The task starts where continuations run, and may block there.
   * There is no thread to interrupt on loss; use {@link LockHandle#onLost} instead. A caller that
   * completes the returned future before, by a timeout or by cancelling it, ends the wait for the
   * lock; a task that has begun keeps the lock until its stage is done.
   */
  <T> CompletionStage<T> call(
      String key, LockOptions options, Function<LockHandle, CompletionStage<T>> task);

  /** Releases the lock with this id, if it is held; see {@link Locks#release}. */
  CompletionStage<ReleaseResult> release(LockId lockId);

  /** Sets the expiry of the lock with this id to now plus the ttl. */
  CompletionStage<ExtendResult> extend(LockId lockId, Duration ttl);

  /** Tells whether the lock is held. For information only. */
  CompletionStage<Boolean> isLocked(String key);

  /** Finds the live lock on the key. For information only. */
  CompletionStage<Optional<LockInfo>> getByKey(String key);

  /** Finds the live lock with this id. For information only. */
  CompletionStage<Optional<LockInfo>> getById(LockId lockId);

  /** As {@link #getByKey}, with raw identifiers, which suffice to release the lock. */
  CompletionStage<Optional<RawLockInfo>> getByKeyRaw(String key);

  /** As {@link #getById}, with raw identifiers, which suffice to release the lock. */
  CompletionStage<Optional<RawLockInfo>> getByIdRaw(LockId lockId);

  /** Tells whether the lock with this id is still held. For information only. */
  CompletionStage<Boolean> owns(LockId lockId);
}
