package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.lock.LockCapabilities;
import java.time.Duration;
import java.util.Optional;

/**
 * Locks with fencing tokens: only one process holds a key at a time, and a late one is found out.
 * Thread-safe.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT for a key that is empty, longer
 * than 512 bytes or not valid Unicode, ABORTED when the thread is interrupted (the interrupt flag
 * stays set), others as the store fails.
 */
public interface Locks {

  /** Returns the same locks, whose operations fail with ABORTED once the signal is cancelled. */
  Locks cancelledBy(CancelSignal signal);

  /** Returns the same locks for callers that must not block. */
  AsyncLocks async();

  /** Returns at once what the store's locks can do. */
  LockCapabilities capabilities();

  /** Blocks for a single attempt to take the lock, for 30 s. */
  default AcquireResult tryLock(String key) {
    return tryLock(key, LockOptions.DEFAULT_TTL);
  }

  /**
   * Blocks for a single attempt to take the lock, for the given lifetime. A grant that arrives when
   * that lifetime is over is given back, and fails with NETWORK_TIMEOUT.
   */
  AcquireResult tryLock(String key, Duration ttl);

  /** Blocks until the lock is taken, as {@link #lock(String, LockOptions)} with the defaults. */
  default LockHandle lock(String key) {
    return lock(key, LockOptions.defaults());
  }

  /**
   * Blocks until the lock is taken. Passing failures of the store are retried like contention.
   *
   * @throws SyncGuardException with code ACQUISITION_TIMEOUT if another client still holds it at
   *     the last try, which is made when the timeout is over, or when the retries of {@link
   *     LockOptions#withRetry} are used up
   */
  LockHandle lock(String key, LockOptions options);

  /** Blocks until the lock is taken and the task has run with it; waits up to 5 s. */
  default <E extends Exception> void run(String key, LockTask<E> task) throws E {
    run(key, LockOptions.defaults(), task);
  }

  /**
   * Blocks until the lock is taken and the task has run with it, as {@link #call(String,
   * LockOptions, LockCall)} does, for a task without a result.
   *
   * @throws E what the task throws
   * @throws LockLostException if the lock was lost before the task ended
   */
  <E extends Exception> void run(String key, LockOptions options, LockTask<E> task) throws E;

  /** Blocks until the lock is taken and the task has run with it; waits up to 5 s. */
  default <T, E extends Exception> T call(String key, LockCall<T, E> task) throws E {
    return call(key, LockOptions.defaults(), task);
  }

  /**
   * Blocks until the lock is taken and the task has run with it, then releases it in any case.
   *
   * <p>While the task runs the lock is extended, each third of its ttl, for at most 10 min or as
   * {@link LockOptions#withAutoExtend} says, unless {@link LockOptions#withFixedLease} says no. If
   * it is lost all the same, the task goes on, interrupted only if {@link
   * LockOptions#withInterruptOnLoss} says so, and the loss is thrown once it has ended.
   *
   * @return what the task returns
   * @throws E what the task throws, with a {@link LockLostException} as suppressed if the lock was
   *     lost as well
   * @throws LockLostException if the lock was lost before the task ended; it has what the task
   *     returned
   */
  <T, E extends Exception> T call(String key, LockOptions options, LockCall<T, E> task) throws E;

  /**
   * Blocks while the store releases the lock with this id, if it is held. Safe to call at any time:
   * it never frees another holder's lock. It is not cancelled by the signal of {@link
   * #cancelledBy}.
   */
  ReleaseResult release(LockId lockId);

  /** Blocks while the store sets the expiry of the lock with this id to now plus the ttl. */
  ExtendResult extend(LockId lockId, Duration ttl);

  /** Blocks while the store looks whether the lock is held. For information only. */
  boolean isLocked(String key);

  /** Blocks while the store looks for the live lock on the key. For information only. */
  default Optional<LockInfo> getByKey(String key) {
    return getByKeyRaw(key).map(RawLockInfo::sanitized);
  }

  /** Blocks while the store looks for the live lock with this id. For information only. */
  default Optional<LockInfo> getById(LockId lockId) {
    return getByIdRaw(lockId).map(RawLockInfo::sanitized);
  }

  /** As {@link #getByKey}, with raw identifiers, which suffice to release the lock. */
  Optional<RawLockInfo> getByKeyRaw(String key);

  /** As {@link #getById}, with raw identifiers, which suffice to release the lock. */
  Optional<RawLockInfo> getByIdRaw(LockId lockId);

  /**
   * Blocks while the store looks whether the lock with this id is still held. For information only:
   * it may be lost the moment after. Release and extend check for themselves.
   */
  default boolean owns(LockId lockId) {
    return getByIdRaw(lockId).isPresent();
  }
}
