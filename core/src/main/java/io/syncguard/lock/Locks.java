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
import io.syncguard.telemetry.LockEvent;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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

  private static final Object NO_RESULT = new Object();

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
    return new Locks(engine, Objects.requireNonNull(signal, "The signal must not be null"));
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
  public AcquireResult tryLock(String key) {
    return tryLock(key, LockOptions.DEFAULT_TTL);
  }

  /**
   * Blocks for a single attempt to take the lock, for the given lifetime. A grant that arrives when
   * that lifetime is over is given back, and fails with NETWORK_TIMEOUT.
   */
  public AcquireResult tryLock(String key, Duration ttl) {
    ResourceKey resource = engine.checks().key(LockEvent.Type.ACQUIRE, key);
    Duration lifetime = engine.checks().ttl(LockEvent.Type.ACQUIRE, resource, null, ttl);
    engine.holdings().begin();
    try {
      return attempt(resource, lifetime);
    } finally {
      engine.holdings().end();
    }
  }

  private AcquireResult attempt(ResourceKey resource, Duration lifetime) {
    engine
        .checks()
        .pass(
            LockEvent.Type.ACQUIRE, resource, null, () -> engine.entrance().throwIfAborted(signal));
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
   *     last try, which is made when the timeout is over, or when the retries of {@link
   *     LockOptions#withRetry} are used up
   */
  public LockHandle lock(String key, LockOptions options) {
    Acquisition acquisition =
        new Acquisition(engine, engine.checks().key(LockEvent.Type.ACQUIRE, key), options);
    return new BlockingWait(engine, acquisition, signal).await();
  }

  /** Blocks until the lock is taken and the task has run with it; waits up to 5 s. */
  public <E extends Exception> void run(String key, LockTask<E> task) throws E {
    run(key, LockOptions.defaults(), task);
  }

  /**
   * Blocks until the lock is taken and the task has run with it, as {@link #call(String,
   * LockOptions, LockCall)} does, for a task without a result.
   *
   * @throws E what the task throws
   * @throws LockLostException if the lock was lost before the task ended
   */
  public <E extends Exception> void run(String key, LockOptions options, LockTask<E> task)
      throws E {
    this.<Object, E>call(
        key,
        options,
        lock -> {
          task.run(lock);
          return NO_RESULT;
        });
  }

  /** Blocks until the lock is taken and the task has run with it; waits up to 5 s. */
  public <T, E extends Exception> T call(String key, LockCall<T, E> task) throws E {
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
  public <T, E extends Exception> T call(String key, LockOptions options, LockCall<T, E> task)
      throws E {
    Objects.requireNonNull(task, "The task must not be null");
    LockHandle lock = lock(key, options.forTask());
    T result;
    try (LossInterrupt interrupt = LossInterrupt.of(lock, options)) {
      result = task.call(lock);
    } catch (Throwable thrown) {
      if (!lock.closeAfterTask()) {
        thrown.addSuppressed(new LockLostException(lock, null));
      }
      throw thrown;
    }
    if (!lock.closeAfterTask()) {
      throw new LockLostException(lock, result == NO_RESULT ? null : result);
    }
    return result;
  }

  /**
   * Blocks while the store releases the lock with this id, if it is held. Safe to call at any time:
   * it never frees anybody else's lock. It is not cancelled by the signal of {@link #cancelledBy}.
   */
  public ReleaseResult release(LockId lockId) {
    LockReference lock = engine.checks().id(LockEvent.Type.RELEASE, lockId);
    engine.checks().pass(LockEvent.Type.RELEASE, null, lockId, engine::throwIfClosed);
    return engine.releases().now(lock, LockOptions.DEFAULT_TTL);
  }

  /** Blocks while the store sets the expiry of the lock with this id to now plus the ttl. */
  public ExtendResult extend(LockId lockId, Duration ttl) {
    LockReference lock = engine.checks().id(LockEvent.Type.EXTEND, lockId);
    Duration lifetime = engine.checks().ttl(LockEvent.Type.EXTEND, null, lockId, ttl);
    pass(LockEvent.Type.EXTEND, null, lockId);
    return engine.backend().extend(lock, lifetime, signal);
  }

  /** Blocks while the store looks whether anybody holds the lock. For information only. */
  public boolean isLocked(String key) {
    ResourceKey resource = engine.checks().key(LockEvent.Type.IS_LOCKED, key);
    pass(LockEvent.Type.IS_LOCKED, resource, null);
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
    ResourceKey resource = engine.checks().key(LockEvent.Type.LOOKUP, key);
    pass(LockEvent.Type.LOOKUP, resource, null);
    return engine.backend().lookup(resource, signal);
  }

  /** As {@link #getById}, with raw identifiers: whoever has them can release the lock. */
  public Optional<RawLockInfo> getByIdRaw(LockId lockId) {
    engine.checks().id(LockEvent.Type.LOOKUP, lockId);
    pass(LockEvent.Type.LOOKUP, null, lockId);
    return engine.backend().lookup(lockId, signal);
  }

  private void pass(LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId) {
    engine.checks().pass(type, key, lockId, () -> engine.throwIfAborted(signal));
  }

  /**
   * Blocks while the store looks whether the lock with this id is still held. For information only:
   * it may be lost the moment after. Release and extend check for themselves.
   */
  public boolean owns(LockId lockId) {
    return getByIdRaw(lockId).isPresent();
  }

  /**
   * Returns at once; for the guard that made these locks. Nothing can be acquired any more, waiting
   * ends, and what its holder has not released within the time is released. The stage completes
   * when that is done. Then comes {@link #close()}.
   */
  public CompletionStage<Void> close(Duration timeForTasks) {
    return engine.close(timeForTasks);
  }

  /** Ends all waiting; for the guard that made these locks. Locks that are held stay held. */
  public void close() {
    engine.close();
  }
}
