package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.Releases;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One try to release a lock; what it frees is passed on to this process's waiters. */
final class LockRelease implements Releases.Operation<LockReference, ReleaseResult> {

  private final LockBackend backend;
  private final WaitingLines lines;

  LockRelease(LockBackend backend, WaitingLines lines) {
    this.backend = backend;
    this.lines = lines;
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    Offer next = nextWaiters(lock);
    return next == null
        ? backend.release(lock, timeout)
        : AsyncLockBackend.await(releaseAndHandOver(lock, timeout, next));
  }

  @Override
  public CompletionStage<ReleaseResult> releaseAsync(LockReference lock, Duration timeout) {
    Offer next = nextWaiters(lock);
    return next == null
        ? backend.async().release(lock, timeout)
        : releaseAndHandOver(lock, timeout, next);
  }

  /** Hands nothing over: whether the lock is still held is in doubt. */
  @Override
  public CompletionStage<ReleaseResult> releaseInBackground(LockReference lock, Duration timeout) {
    return backend.async().release(lock, timeout);
  }

  private @Nullable Offer nextWaiters(LockReference lock) {
    return lock.key() == null ? null : lines.takeOfferFor(lock.key(), lock.lockId());
  }

  /** Passes the lock on in one step if the store can. */
  private CompletionStage<ReleaseResult> releaseAndHandOver(
      LockReference lock, Duration timeout, Offer next) {
    CompletionStage<Boolean> done = next.handOver(lock, timeout, backend.async());
    return done.thenCompose(
        handedOver ->
            handedOver
                ? CompletableFuture.completedFuture(ReleaseResult.RELEASED)
                : releaseBefore(next, lock, timeout));
  }

  /** Sends the release and, without awaiting its answer, the next waiter's attempt. */
  private CompletionStage<ReleaseResult> releaseBefore(
      Offer next, LockReference lock, Duration timeout) {
    try {
      return backend.async().release(lock, timeout);
    } finally {
      next.attempt(backend.async());
    }
  }

  @Override
  public SyncGuardException.Context context(LockReference lock) {
    return lock.context();
  }

  @Override
  public boolean isAbsent(ReleaseResult answer) {
    return answer == ReleaseResult.NOT_FOUND;
  }

  @Override
  public ReleaseResult settled(LockReference lock, ReleaseResult answer, boolean inDoubt) {
    if (lock.key() != null) {
      lines.released(lock.key(), lock.lockId());
    }
    return inDoubt && isAbsent(answer) ? ReleaseResult.RELEASED : answer;
  }
}
