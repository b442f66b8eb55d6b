package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
import io.syncguard.internal.Releases;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
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
  private final WaitingLines lines;
  private final Gate gate = new Gate();
  private final Releases<LockReference, ReleaseResult> releases;
  private final boolean pipelined;

  LockEngine(LockBackend backend, GuardOptions options) {
    this.backend = backend;
    this.pipelined = backend.async().isPipelined();
    this.time = options.timeSource();
    this.onReleaseError = options.onReleaseError();
    this.lines = new WaitingLines(backend, time);
    this.releases =
        new Releases<>(new LockRelease(backend, lines), time, options.disposeTimeout(), gate);
  }

  LockBackend backend() {
    return backend;
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

  ReleaseErrorHandler onReleaseError() {
    return onReleaseError;
  }

  Logger log() {
    return log;
  }

  LockHandle handle(
      ResourceKey key,
      LockId lockId,
      AcquireAttempt.Granted granted,
      Duration ttl,
      long requestedAt) {
    Fence fence = granted.fence();
    if (fence.toLong() > Fence.WARN) {
      log.warn(
          "The fence of key {} is {}: at {} it can be locked no more; move to a new key",
          key.hash(),
          fence,
          Fence.MAX);
    }
    return new LockHandle(this, key, lockId, fence, granted.expiresAt(), ttl, requestedAt);
  }

  AcquireResult result(
      AcquireAttempt attempt, ResourceKey key, LockId lockId, Duration ttl, long requestedAt) {
    if (attempt instanceof AcquireAttempt.Granted granted) {
      return handle(key, lockId, granted, ttl, requestedAt);
    }
    return new Contended(((AcquireAttempt.Held) attempt).remaining());
  }

  /** Returns what to fail with when a single attempt failed, and frees what it may have left. */
  SyncGuardException abandon(Throwable thrown, LockReference lock, Duration ttl) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, lock.context());
    if (failure.isOutcomeUnknown()) {
      releases.afterAbandonedAcquisition(lock, ttl);
    }
    return failure;
  }

  void throwIfAborted(CancelSignal signal) {
    gate.throwIfAborted(signal);
  }

  void throwIfCancelled(CancelSignal signal) {
    gate.throwIfCancelled(signal);
  }

  /** Ends waiting and background work; locks that are held stay held until they expire. */
  void close() {
    gate.close();
    lines.wakeAll();
  }
}
