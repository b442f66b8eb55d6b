package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.internal.waiting.BlockingWait;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.AsyncLocks;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockCall;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockLostException;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.LockTask;
import io.syncguard.lock.Locks;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockOperation;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The locks of a guard, for callers that may block. */
public final class StoreLocks implements Locks {

  private static final Object NO_RESULT = new Object();

  private final LockEngine engine;
  private final CancelSignal signal;
  private final Call call;
  private final AsyncLocks async;

  /** The locks that this engine works for. */
  public StoreLocks(LockEngine engine) {
    this(engine, CancelSignal.never());
  }

  private StoreLocks(LockEngine engine, CancelSignal signal) {
    this.engine = engine;
    this.signal = signal;
    this.call = Call.of(signal);
    this.async = new StoreAsyncLocks(engine, signal);
  }

  @Override
  public Locks cancelledBy(CancelSignal signal) {
    return new StoreLocks(engine, Objects.requireNonNull(signal, "The signal must not be null"));
  }

  @Override
  public AsyncLocks async() {
    return async;
  }

  @Override
  public LockCapabilities capabilities() {
    return engine.backend().capabilities();
  }

  @Override
  public AcquireResult tryLock(String key, Duration ttl) {
    ResourceKey resource = engine.key(LockOperation.ACQUIRE, key);
    Duration lifetime = engine.ttl(LockOperation.ACQUIRE, Subject.ofLock(key, null), ttl);
    engine.holdings().begin();
    try {
      return attempt(resource, lifetime);
    } finally {
      engine.holdings().end();
    }
  }

  private AcquireResult attempt(ResourceKey resource, Duration lifetime) {
    LockOperation.Acquire acquire = engine.newAttempt(resource, lifetime);
    engine.enter(acquire, () -> engine.guard().entrance().throwIfAborted(signal));
    long requestedAt = engine.time().nanoTime();
    AcquireAttempt attempt;
    try {
      attempt = engine.operations().await(acquire, call);
    } catch (RuntimeException e) {
      throw engine.abandon(e, acquire);
    }
    return engine.result(attempt, acquire, requestedAt);
  }

  @Override
  public LockHandle lock(String key, LockOptions options) {
    return acquire(key, options);
  }

  private HeldLock acquire(String key, LockOptions options) {
    return BlockingWait.await(
        LockWait.of(engine, engine.key(LockOperation.ACQUIRE, key), options, signal));
  }

  @Override
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

  @Override
  public <T, E extends Exception> T call(String key, LockOptions options, LockCall<T, E> task)
      throws E {
    Objects.requireNonNull(task, "The task must not be null");
    HeldLock lock = acquire(key, LockEngine.forTask(options));
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

  @Override
  public ReleaseResult release(LockId lockId) {
    return engine.releases().now(engine.id(LockOperation.RELEASE, lockId), LockOptions.DEFAULT_TTL);
  }

  @Override
  public ExtendResult extend(LockId lockId, Duration ttl) {
    return engine.operations().await(engine.extension(lockId, ttl), call);
  }

  @Override
  public boolean isLocked(String key) {
    ResourceKey resource = engine.key(LockOperation.IS_LOCKED, key);
    return engine.operations().await(new LockOperation.IsLocked(resource), call);
  }

  @Override
  public Optional<RawLockInfo> getByKeyRaw(String key) {
    ResourceKey resource = engine.key(LockOperation.LOOKUP, key);
    return engine.operations().await(new LockOperation.FindByKey(resource), call);
  }

  @Override
  public Optional<RawLockInfo> getByIdRaw(LockId lockId) {
    LockId checked = engine.id(LockOperation.LOOKUP, lockId).lockId();
    return engine.operations().await(new LockOperation.FindById(checked), call);
  }
}
