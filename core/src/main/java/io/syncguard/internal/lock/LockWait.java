package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.waiting.Wait;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.QueueTimes;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One caller's wait for a lock. */
abstract class LockWait extends Wait<AcquireAttempt, LockWait.Told, HeldLock> {

  /** A grant that the store told of, under the id that it was granted to. */
  record Told(LockId lockId, AcquireAttempt.Granted grant) {}

  private final LockEngine engine;
  private final ResourceKey key;
  private final LockOptions options;
  private final int mostRetries;

  private LockId lockId;
  private @Nullable Watch watch;

  /** Returns a wait as the store's locks wait. */
  static LockWait of(LockEngine engine, ResourceKey key, LockOptions options, CancelSignal signal) {
    return engine.backend().hasQueue()
        ? new QueuedLockWait(engine, key, options, signal)
        : new LinedLockWait(engine, key, options, signal);
  }

  LockWait(LockEngine engine, ResourceKey key, LockOptions options, CancelSignal signal) {
    super(engine.guard(), signal, options.maxWait());
    this.engine = engine;
    this.key = key;
    this.options = options;
    this.mostRetries = options.mostRetries().orElse(Integer.MAX_VALUE);
    this.lockId = engine.backend().newLockId(key);
  }

  final LockEngine engine() {
    return engine;
  }

  final ResourceKey key() {
    return key;
  }

  final int mostRetries() {
    return mostRetries;
  }

  final LockReference reference() {
    return new LockReference(lockId, key);
  }

  @Override
  protected final Subject subject() {
    return Subject.ofLock(key.value(), null);
  }

  @Override
  protected final void begun() {
    engine.holdings().begin();
  }

  @Override
  protected final boolean isSingleAttempt() {
    return super.isSingleAttempt() || mostRetries == 0;
  }

  /** Returns an attempt of this wait. */
  final LockOperation.Acquire attempt(boolean waits) {
    return new LockOperation.Acquire(key, lockId, options.ttl(), waits);
  }

  /** Has the store tell this wait, if it can, under its present id. */
  final @Nullable Watch watch() {
    if (watch == null) {
      LockReference waiter = reference();
      watch = engine.backend().watch(waiter, hints(waiter.lockId())).orElse(null);
    }
    return watch;
  }

  final boolean isWatched() {
    return watch != null;
  }

  private WaiterHints<AcquireAttempt.Granted> hints(LockId id) {
    return new WaiterHints<>() {
      @Override
      public void look() {
        LockWait.this.look();
      }

      @Override
      public void granted(AcquireAttempt.Granted grant) {
        told(new Told(id, grant));
      }
    };
  }

  @Override
  protected final @Nullable HeldLock read(AcquireAttempt answer) {
    if (answer instanceof AcquireAttempt.Granted granted) {
      leave();
      return take(granted);
    }
    if (isLast()) {
      leave();
      throw timedOut(nanosLeft() > 0 ? "with 0 retries" : "within " + maxWait());
    }
    contended(answer);
    return null;
  }

  /** Takes that another client holds the lock. */
  abstract void contended(AcquireAttempt answer);

  /** Ends what tells this wait, and its place in this process. */
  void leave() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private @Nullable HeldLock take(AcquireAttempt.Granted granted) {
    LockOperation.Acquire acquire = attempt(true);
    HeldLock lock = engine.lock(acquire, granted, grantedSince(), options);
    if (lock.isHeld()) {
      return extended(lock);
    }
    // Its lifetime was over before this process learned of it: that is no lock to work under.
    lock.discard();
    engine.releases().afterAbandonedAcquisition(reference(), options.ttl());
    lockId = engine.backend().newLockId(key);
    beginAnew(LockEngine.grantedTooLate(acquire));
    return null;
  }

  private HeldLock extended(HeldLock lock) {
    options.autoExtend().ifPresent(lock::autoExtend);
    return lock;
  }

  @Override
  protected final @Nullable HeldLock begin(Told told, long keptUntil) {
    if (!told.lockId().equals(lockId)) {
      return null;
    }
    leave();
    HeldLock lock = engine.lock(attempt(true), told.grant(), time().nanoTime(), options);
    lock.confirmBefore(keptUntil);
    return extended(lock);
  }

  @Override
  protected final long grantNanos() {
    return QueueTimes.GRANT.toNanos();
  }

  @Override
  protected final long pauseNanos(int failures) {
    return RetryPauses.nanosBefore(failures, options.retry(), ThreadLocalRandom.current());
  }

  @Override
  protected final boolean isWorthAskingAgain(SyncGuardException failure, int failures) {
    return failure.isTransient() && failures <= mostRetries;
  }

  /** Returns what to fail with when the lock could not be had. */
  final SyncGuardException timedOut(String limit) {
    SyncGuardException failure = lastFailure();
    if (failure != null) {
      return failure;
    }
    boolean heldHere = engine.holdings().holdsOne(key.value());
    return new SyncGuardException(
        Code.ACQUISITION_TIMEOUT,
        "Could not acquire the lock on key "
            + key.label()
            + " "
            + limit
            + " (waited "
            + waited().toMillis()
            + (heldHere
                ? " ms): this process holds it already, and locks are not reentrant"
                : " ms): it is still held"),
        subject(),
        null);
  }

  @Override
  protected final void succeeded() {
    engine.holdings().end();
  }

  @Override
  protected final void gaveUp() {
    boolean placed = hasPlace();
    leave();
    if (isInDoubt()) {
      engine
          .releases()
          .afterAbandonedAcquisition(reference(), options.ttl(), engine.holdings()::end);
    } else if (placed) {
      engine.releases().inBackground(reference(), options.ttl(), engine.holdings()::end);
    } else {
      engine.holdings().end();
    }
  }

  /** Returns whether the store may still have a place for this wait. */
  abstract boolean hasPlace();

  @Override
  protected final void giveBack(HeldLock got) {
    got.giveBack();
  }
}
