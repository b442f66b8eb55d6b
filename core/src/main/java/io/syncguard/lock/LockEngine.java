package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Continuations;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Holdings;
import io.syncguard.internal.Releases;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the locks of one guard have in common: the store's backend, time, the waiters and releases.
 */
final class LockEngine {

  private static final Logger log = LoggerFactory.getLogger(Locks.class);

  private final LockBackend backend;
  private final TimeSource time;
  private final ReleaseErrorHandler onReleaseError;
  private final LockChecks checks;
  private final WaitingLines lines;
  private final Continuations continuations;
  private final Gate gate;
  private final Gate entrance;
  private final Holdings<LockHandle> holdings;
  private final Releases<LockReference, ReleaseResult> releases;
  private final boolean pipelined;

  LockEngine(LockBackend backend, GuardOptions options) {
    this.backend = backend;
    this.checks = new LockChecks(backend);
    this.pipelined = backend.async().isPipelined();
    this.time = options.timeSource();
    this.onReleaseError = options.onReleaseError();
    this.continuations = new Continuations(options);
    this.gate = new Gate(continuations);
    this.entrance = new Gate(continuations);
    this.holdings = new Holdings<>("locks", time, LockHandle::isInUse, LockHandle::takeBack);
    this.lines = new WaitingLines(backend, time);
    this.releases =
        new Releases<>(new LockRelease(backend, lines), time, options.disposeTimeout(), gate);
  }

  LockBackend backend() {
    return backend;
  }

  LockChecks checks() {
    return checks;
  }

  TimeSource time() {
    return time;
  }

  /** Returns whether others can make a sleeping waiter's attempt. */
  boolean isPipelined() {
    return pipelined;
  }

  WaitingLines lines() {
    return lines;
  }

  Releases<LockReference, ReleaseResult> releases() {
    return releases;
  }

  /** Returns where code of the user's runs. */
  Continuations continuations() {
    return continuations;
  }

  /** Returns whom to tell when a lock with these options could not be released. */
  ReleaseErrorHandler onReleaseError(LockOptions options) {
    return options.onReleaseError().orElse(onReleaseError);
  }

  Logger log() {
    return log;
  }

  LockHandle handle(
      ResourceKey key,
      LockId lockId,
      AcquireAttempt.Granted granted,
      Duration ttl,
      long requestedAt,
      ReleaseErrorHandler onReleaseError) {
    Fence fence = granted.fence();
    if (fence.toLong() > Fence.WARN) {
      log.warn(
          "The fence of key {} is {}: at {} it can be locked no more; move to a new key",
          key.label(),
          fence,
          Fence.MAX);
    }
    LockHandle handle =
        new LockHandle(
            this, key, lockId, fence, granted.expiresAt(), ttl, requestedAt, onReleaseError);
    handle.holding().enter();
    return handle;
  }

  /** Returns what an attempt that does not wait comes to. */
  AcquireResult result(
      AcquireAttempt attempt, ResourceKey key, LockId lockId, Duration ttl, long requestedAt) {
    if (attempt instanceof AcquireAttempt.Held held) {
      return new Contended(held.remaining());
    }
    LockHandle handle =
        handle(key, lockId, (AcquireAttempt.Granted) attempt, ttl, requestedAt, onReleaseError);
    if (!handle.isHeld()) {
      releases.inBackground(new LockReference(lockId, key), ttl);
      throw grantedTooLate(key, lockId, ttl);
    }
    return handle;
  }

  /** Returns what a grant comes to whose lifetime was over when it arrived. */
  static SyncGuardException grantedTooLate(ResourceKey key, LockId lockId, Duration ttl) {
    return SyncGuardException.withUnknownOutcome(
        SyncGuardException.Code.NETWORK_TIMEOUT,
        "The store granted the lock on key "
            + key.label()
            + ", but the answer came when its lifetime of "
            + ttl
            + " was over; the lock is released in the background. Choose a longer lifetime, or find"
            + " out why the store is slow",
        new SyncGuardException.Context(key.value(), lockId.value()),
        null);
  }

  /** Returns what to fail with when a single attempt failed, and frees what it may have left. */
  SyncGuardException abandon(Throwable thrown, LockReference lock, Duration ttl) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, lock.context());
    if (failure.isOutcomeUnknown()) {
      releases.afterAbandonedAcquisition(lock, ttl);
    }
    return failure;
  }

  void throwIfClosed() {
    gate.throwIfClosed();
  }

  void throwIfAborted(CancelSignal signal) {
    gate.throwIfAborted(signal);
  }

  void throwIfCancelled(CancelSignal signal) {
    gate.throwIfCancelled(signal);
  }

  /** Returns what lets locks be acquired; it is closed before everything else. */
  Gate entrance() {
    return entrance;
  }

  /** Returns what this guard holds or is acquiring. */
  Holdings<LockHandle> holdings() {
    return holdings;
  }

  /**
   * Lets nothing be acquired any more, ends waiting, and has what is held released, by its holder
   * within the time or else by the guard; returns at once.
   */
  CompletionStage<Void> close(Duration timeForTasks) {
    entrance.close();
    lines.wakeAll();
    return holdings.close(timeForTasks);
  }

  /** Ends waiting and background work; locks that are held stay held until they expire. */
  void close() {
    entrance.close();
    gate.close();
    releases.close();
    lines.wakeAll();
  }
}
