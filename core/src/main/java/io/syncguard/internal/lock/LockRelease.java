package io.syncguard.internal.lock;

import io.syncguard.Subject;
import io.syncguard.internal.hold.Releases;
import io.syncguard.internal.operation.Answers;
import io.syncguard.internal.operation.Operations;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One try to release a lock; what it frees is passed on to this process's waiters. */
final class LockRelease implements Releases.Operation<LockReference, ReleaseResult> {

  private final Operations operations;
  private final WaitingLines lines;

  LockRelease(Operations operations, WaitingLines lines) {
    this.operations = operations;
    this.lines = lines;
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    Offer next = nextWaiters(lock);
    return next == null
        ? operations.await(new LockOperation.Release(lock), Call.ofRelease(timeout))
        : Answers.await(releaseAndHandOver(lock, timeout, next), lock.subject());
  }

  @Override
  public CompletionStage<ReleaseResult> releaseAsync(LockReference lock, Duration timeout) {
    Offer next = nextWaiters(lock);
    return next == null
        ? releaseInBackground(lock, timeout)
        : releaseAndHandOver(lock, timeout, next);
  }

  /** Hands nothing over: whether the lock is still held is in doubt. */
  @Override
  public CompletionStage<ReleaseResult> releaseInBackground(LockReference lock, Duration timeout) {
    return operations.begin(new LockOperation.Release(lock), Call.ofRelease(timeout));
  }

  private @Nullable Offer nextWaiters(LockReference lock) {
    return lock.key() == null ? null : lines.takeOfferFor(lock.key(), lock.lockId());
  }

  /** Passes the lock on in one step if the store can. */
  private CompletionStage<ReleaseResult> releaseAndHandOver(
      LockReference lock, Duration timeout, Offer next) {
    return next.handOver(lock, timeout, operations)
        .thenCompose(
            handedOver ->
                handedOver
                    ? CompletableFuture.completedFuture(ReleaseResult.RELEASED)
                    : releaseBefore(next, lock, timeout));
  }

  /** Sends the release and, without awaiting its answer, the next waiter's attempt. */
  private CompletionStage<ReleaseResult> releaseBefore(
      Offer next, LockReference lock, Duration timeout) {
    try {
      return releaseInBackground(lock, timeout);
    } finally {
      next.attempt(operations);
    }
  }

  @Override
  public Subject subject(LockReference lock) {
    return lock.subject();
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
