package io.syncguard.internal.lock;

import io.syncguard.ReleaseErrorHandler;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Failures;
import io.syncguard.internal.GuardContext;
import io.syncguard.internal.Lifetime;
import io.syncguard.internal.hold.Holdings;
import io.syncguard.internal.hold.Lease;
import io.syncguard.internal.hold.Releases;
import io.syncguard.internal.operation.Operations;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.Contended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the locks of one guard have in common: the store, the waiters, the releases. */
public final class LockEngine {

  static final String WHOSE_LIFETIME = "A lock's lifetime";

  private static final Logger log = LoggerFactory.getLogger(Locks.class);

  private final GuardContext guard;
  private final LockBackend backend;
  private final LockPlaces places;
  private final LocalLines lines = new LocalLines();
  private final Holdings holdings;
  private final Releases<LockReference, ReleaseResult> releases;

  /** Works for the locks of this guard. */
  public LockEngine(GuardContext guard) {
    this.guard = guard;
    this.backend = guard.store().locks();
    this.holdings = new Holdings("locks", guard.time());
    this.places = new LockPlaces(guard.operations(), guard.time());
    this.releases =
        new Releases<>(
            new LockRelease(guard.operations(), lines),
            guard.time(),
            guard.disposeTimeout(),
            guard.gate());
  }

  GuardContext guard() {
    return guard;
  }

  Operations operations() {
    return guard.operations();
  }

  /** Returns what the store's locks can do beside operations. */
  LockBackend backend() {
    return backend;
  }

  TimeSource time() {
    return guard.time();
  }

  /** Returns this guard's places in the store's queues. */
  LockPlaces places() {
    return places;
  }

  /** Returns this guard's waiters where the store has no queue. */
  LocalLines lines() {
    return lines;
  }

  Releases<LockReference, ReleaseResult> releases() {
    return releases;
  }

  /** Returns what this guard holds or is acquiring. */
  Holdings holdings() {
    return holdings;
  }

  /** Returns the options for a lock that a task runs under, which is extended meanwhile. */
  static LockOptions forTask(LockOptions options) {
    if (options.isFixedLease() || options.autoExtend().isPresent()) {
      return options;
    }
    Duration ttl = options.ttl();
    Duration usual = LockOptions.DEFAULT_MAX_HOLD;
    return options.withAutoExtend(ttl.compareTo(usual) > 0 ? ttl : usual);
  }

  ResourceKey key(String operation, String key) {
    return operations().check(Subject.ofLock(null, null), operation, () -> ResourceKey.of(key));
  }

  Duration ttl(String operation, Subject lock, Duration ttl) {
    return operations().check(lock, operation, () -> Lifetime.check(WHOSE_LIFETIME, ttl));
  }

  LockReference id(String operation, @Nullable LockId lockId) {
    return operations()
        .check(
            Subject.ofLock(null, null),
            operation,
            () -> {
              if (lockId == null) {
                throw SyncGuardException.invalidArgument("The lockId must not be null");
              }
              return new LockReference(lockId, null);
            });
  }

  LockOperation.Extend extension(LockId lockId, Duration ttl) {
    LockReference lock = id(LockOperation.EXTEND, lockId);
    return new LockOperation.Extend(lock, ttl(LockOperation.EXTEND, lock.subject(), ttl));
  }

  LockOperation.Acquire newAttempt(ResourceKey key, Duration ttl) {
    return new LockOperation.Acquire(key, backend.newLockId(key), ttl, false);
  }

  /** Passes unless the guard takes no acquisitions any more, or this one was called off. */
  void enter(LockOperation.Acquire acquire, Runnable entrance) {
    operations().pass(acquire.subject(), acquire.label(), entrance);
  }

  HeldLock lock(
      LockOperation.Acquire acquire,
      AcquireAttempt.Granted granted,
      long requestedAt,
      LockOptions options) {
    return lock(
        acquire, granted, requestedAt, options.onReleaseError().orElse(guard.onReleaseError()));
  }

  private HeldLock lock(
      LockOperation.Acquire acquire,
      AcquireAttempt.Granted granted,
      long requestedAt,
      ReleaseErrorHandler onReleaseError) {
    if (granted.fence().toLong() > Fence.WARN) {
      log.warn(
          "The fence of key {} is {}: at {} it can be locked no more; move to a new key",
          acquire.key().label(),
          granted.fence(),
          Fence.MAX);
    }
    HeldLock handle =
        new HeldLock(
            this,
            acquire.key(),
            reference(acquire),
            granted,
            new Lease(time(), requestedAt, acquire.ttl()),
            onReleaseError);
    handle.enter();
    return handle;
  }

  static LockReference reference(LockOperation.Acquire acquire) {
    return new LockReference(acquire.lockId(), acquire.key());
  }

  /** Returns what an attempt that does not wait comes to. */
  AcquireResult result(AcquireAttempt attempt, LockOperation.Acquire acquire, long requestedAt) {
    if (attempt instanceof AcquireAttempt.Held held) {
      return new Contended(held.remaining());
    }
    HeldLock handle =
        lock(acquire, (AcquireAttempt.Granted) attempt, requestedAt, guard.onReleaseError());
    if (!handle.isHeld()) {
      handle.discard();
      releases.inBackground(reference(acquire), acquire.ttl());
      throw grantedTooLate(acquire);
    }
    return handle;
  }

  /** Returns what a grant comes to whose lifetime was over when it arrived. */
  static SyncGuardException grantedTooLate(LockOperation.Acquire acquire) {
    return SyncGuardException.withUnknownOutcome(
        SyncGuardException.Code.NETWORK_TIMEOUT,
        "The store granted the lock on key "
            + acquire.key().label()
            + ", but the answer came when its lifetime of "
            + acquire.ttl()
            + " was over; the lock is released in the background. Choose a longer lifetime, or find"
            + " out why the store is slow",
        acquire.subject(),
        null);
  }

  /** Returns what to fail with when a single attempt failed, and frees what it may have left. */
  SyncGuardException abandon(Throwable thrown, LockOperation.Acquire acquire) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, acquire.subject());
    if (failure.isOutcomeUnknown()) {
      releases.afterAbandonedAcquisition(reference(acquire), acquire.ttl());
    }
    return failure;
  }

  /**
   * Ends waiting, and has what is held released, by its holder within the time or else by the
   * guard; returns at once. To be called when nothing can be acquired any more.
   */
  public CompletionStage<Void> close(Duration timeForTasks) {
    return holdings.close(timeForTasks);
  }

  /**
   * Leaves what is held to its holders; returns at once. To be called when nothing can be acquired
   * any more.
   *
   * @return a stage that completes when all waiters have left the queue
   */
  public CompletionStage<Void> endWaits() {
    return holdings.endAcquisitions();
  }

  /** Ends waiting and background work; locks that are held stay held until they expire. */
  public void close() {
    releases.close();
    places.close();
  }
}
