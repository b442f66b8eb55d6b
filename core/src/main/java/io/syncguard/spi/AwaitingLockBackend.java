package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * The blocking operations of a store whose own are asynchronous: each waits for its stage. The
 * stages must complete by themselves in the end, and at once when the signal is cancelled.
 */
public abstract class AwaitingLockBackend implements LockBackend {

  private final AsyncLockBackend async;

  /** Blocks for the given operations. */
  protected AwaitingLockBackend(AsyncLockBackend async) {
    this.async = async;
  }

  @Override
  public final AsyncLockBackend async() {
    return async;
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    return await(async.acquire(request, signal));
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return await(async.release(lock, timeout));
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    return await(async.extend(lock, ttl, signal));
  }

  @Override
  public boolean isLocked(ResourceKey key, CancelSignal signal) {
    return await(async.isLocked(key, signal));
  }

  @Override
  public Optional<RawLockInfo> lookup(ResourceKey key, CancelSignal signal) {
    return await(async.lookup(key, signal));
  }

  @Override
  public Optional<RawLockInfo> lookup(LockId lockId, CancelSignal signal) {
    return await(async.lookup(lockId, signal));
  }

  private static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SyncGuardException.withUnknownOutcome(
          Code.ABORTED,
          "The thread was interrupted while the store had not answered",
          SyncGuardException.Context.NONE,
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SyncGuardException failure
          ? fromHere(failure)
          : SyncGuardException.withUnknownOutcome(
              Code.INTERNAL,
              "The store failed in an unexpected way",
              SyncGuardException.Context.NONE,
              e.getCause());
    }
  }

  /** The same failure with the stack of the thread that it matters to. */
  private static SyncGuardException fromHere(SyncGuardException failure) {
    String message = String.valueOf(failure.getMessage());
    return failure.isOutcomeUnknown()
        ? SyncGuardException.withUnknownOutcome(failure.code(), message, failure.context(), failure)
        : new SyncGuardException(failure.code(), message, failure.context(), failure);
  }
}
