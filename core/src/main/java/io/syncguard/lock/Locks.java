package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockCapabilities;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
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
public final class Locks {

  private final LockEngine engine;
  private final CancelSignal signal;
  private final AsyncLocks async;

  /** Makes the locks of one store. Usually {@code SyncGuard.locks()} is the way to get them. */
  public Locks(LockBackend backend, GuardOptions options) {
    this(new LockEngine(backend, options), CancelSignal.never());
  }

  private Locks(LockEngine engine, CancelSignal signal) {
    this.engine = engine;
    this.signal = signal;
    this.async = new AsyncLocks(engine, signal);
  }

  /** Returns the same locks, whose operations fail with ABORTED once the signal is cancelled. */
  public Locks cancelledBy(CancelSignal signal) {
    return new Locks(engine, signal);
  }

  /** Returns the same locks for callers that must not block. */
  public AsyncLocks async() {
    return async;
  }

  /** Returns at once what the store's locks can do. */
  public LockCapabilities capabilities() {
    return engine.backend().capabilities();
  }

  /** Blocks for a single attempt to take the lock, for 30 s. */
  public AcquireResult acquire(String key) {
    return acquire(key, LockOptions.DEFAULT_TTL);
  }

  /** Blocks for a single attempt to take the lock, for the given lifetime. */
  public AcquireResult acquire(String key, Duration ttl) {
    ResourceKey resource = ResourceKey.of(key);
    Duration lifetime = Ttl.check(ttl);
    engine.throwIfAborted(signal);
    LockId lockId = engine.backend().newLockId(resource);
    long requestedAt = engine.time().nanoTime();
    AcquireAttempt attempt;
    try {
      attempt =
          engine.backend().acquire(new AcquireRequest(resource, lockId, lifetime, false), signal);
    } catch (RuntimeException e) {
      throw engine.abandon(e, new LockReference(lockId, resource), lifetime);
    }
    return engine.result(attempt, resource, lockId, lifetime, requestedAt);
  }

  /** Blocks until the lock is taken, as {@link #lock(String, LockOptions)} with the defaults. */
  public LockHandle lock(String key) {
    return lock(key, LockOptions.defaults());
  }

  /**
   * Blocks until the lock is taken. Passing failures of the store are retried like contention.
   *
   * @throws SyncGuardException with code ACQUISITION_TIMEOUT if somebody else still holds it at the
   *     last try, which is made when the timeout is over
   */
  public LockHandle lock(String key, LockOptions options) {
    Acquisition acquisition = new Acquisition(engine, ResourceKey.of(key), options);
    return new BlockingWait(engine, acquisition, signal).await();
  }

  /** Blocks until the lock is taken and the task has run with it; waits 5 s, holds for 30 s. */
  public <E extends Exception> void run(String key, LockTask<E> task) throws E {
    run(key, LockOptions.defaults(), task);
  }

  /**
   * Blocks until the lock is taken and the task has run with it, then releases it in any case.
   *
   * @throws E what the task throws
   */
  public <E extends Exception> void run(String key, LockOptions options, LockTask<E> task)
      throws E {
    this.<Boolean, E>call(
        key,
        options,
        lock -> {
          task.run(lock);
          return true;
        });
  }

  /** Blocks until the lock is taken and the task has run with it; waits 5 s, holds for 30 s. */
  public <T, E extends Exception> T call(String key, LockCall<T, E> task) throws E {
    return call(key, LockOptions.defaults(), task);
  }

  /**
   * Blocks until the lock is taken and the task has run with it, then releases it in any case.
   *
   * @return what the task returns
   * @throws E what the task throws
   */
  public <T, E extends Exception> T call(String key, LockOptions options, LockCall<T, E> task)
      throws E {
    LockHandle lock = lock(key, options);
    try (LossInterrupt interrupt = LossInterrupt.of(lock, options)) {
      return task.call(lock);
    } finally {
      lock.close(
          ReleaseErrorHandler.Source.HELPER,
          options.onReleaseError().orElse(engine.onReleaseError()));
    }
  }

  /**
   * Blocks while the store releases the lock with this id, if it is held. Safe to call at any time:
   * it never frees anybody else's lock. It is not cancelled by the signal of {@link #cancelledBy}.
   */
  public ReleaseResult release(LockId lockId) {
    return engine.releases().now(new LockReference(lockId, null), LockOptions.DEFAULT_TTL);
  }

  /** Blocks while the store sets the expiry of the lock with this id to now plus the ttl. */
  public ExtendResult extend(LockId lockId, Duration ttl) {
    Duration lifetime = Ttl.check(ttl);
    engine.throwIfAborted(signal);
    return engine.backend().extend(new LockReference(lockId, null), lifetime, signal);
  }

  /** Blocks while the store looks whether anybody holds the lock. For information only. */
  public boolean isLocked(String key) {
    ResourceKey resource = ResourceKey.of(key);
    engine.throwIfAborted(signal);
    return engine.backend().isLocked(resource, signal);
  }

  /** Blocks while the store looks for the live lock on the key. For information only. */
  public Optional<LockInfo> getByKey(String key) {
    return getByKeyRaw(key).map(RawLockInfo::sanitized);
  }

  /** Blocks while the store looks for the live lock with this id. For information only. */
  public Optional<LockInfo> getById(LockId lockId) {
    return getByIdRaw(lockId).map(RawLockInfo::sanitized);
  }

  /** As {@link #getByKey}, with raw identifiers: whoever has them can release the lock. */
  public Optional<RawLockInfo> getByKeyRaw(String key) {
    ResourceKey resource = ResourceKey.of(key);
    engine.throwIfAborted(signal);
    return engine.backend().lookup(resource, signal);
  }

  /** As {@link #getById}, with raw identifiers: whoever has them can release the lock. */
  public Optional<RawLockInfo> getByIdRaw(LockId lockId) {
    engine.throwIfAborted(signal);
    return engine.backend().lookup(lockId, signal);
  }

  /**
   * Blocks while the store looks whether the lock with this id is still held. For information only:
   * it may be lost the moment after. Release and extend check for themselves.
   */
  public boolean owns(LockId lockId) {
    return getByIdRaw(lockId).isPresent();
  }

  /** Ends all waiting; for the guard that made these locks. Locks that are held stay held. */
  public void close() {
    engine.close();
  }
}
