package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.operation.Operations;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The attempt that a sleeping waiter lets others make for it, because they know sooner than it can
 * wake up that the lock is free: the holder in its process when it releases, or the thread that
 * passes on the store's hint. Either it is taken, and the waiter must await the answer, or the
 * waiter withdraws it. Thread-safe.
 */
final class Offer {

  /** Who may take it. */
  enum To {
    RELEASER,
    ANY_THREAD
  }

  private enum State {
    OPEN,
    TAKEN,
    WITHDRAWN
  }

  private final LockOperation.Acquire request;
  private final Call call;
  private final To to;
  private final CompletableFuture<AcquireAttempt> answer = new CompletableFuture<>();
  private State state = State.OPEN;
  private long takenAt;
  private boolean watched;

  /** Offers a watched attempt; the releaser makes it unwatched. */
  Offer(LockOperation.Acquire request, Call call, To to) {
    this.request = request;
    this.call = call;
    this.to = to;
  }

  boolean takeAsReleaser(TimeSource time) {
    return take(time, false);
  }

  boolean takeAsHinted(TimeSource time) {
    return to == To.ANY_THREAD && take(time, true);
  }

  private synchronized boolean take(TimeSource time, boolean asWatched) {
    if (state != State.OPEN) {
      return false;
    }
    state = State.TAKEN;
    takenAt = time.nanoTime();
    watched = asWatched;
    return true;
  }

  /** Returns false if it has been taken; the waiter then has an attempt under way. */
  synchronized boolean withdraw() {
    if (state == State.OPEN) {
      state = State.WITHDRAWN;
    }
    return state == State.WITHDRAWN;
  }

  /** Returns whether the holder has taken it; the attempt then goes right behind its release. */
  synchronized boolean isHandOver() {
    return state == State.TAKEN && !watched;
  }

  /** Returns when it was taken, which was before the attempt began. */
  synchronized long takenAt() {
    return takenAt;
  }

  CompletionStage<AcquireAttempt> answer() {
    return answer;
  }

  void onAnswer(Runnable wakeUp) {
    CompletionStage<AcquireAttempt> answered = answer;
    answered.whenComplete((attempt, failure) -> wakeUp.run());
  }

  /**
   * Has the store pass the lock on; to be called once, by the releaser that took it. The stage says
   * whether that was done; if not, the attempt has still to be made. If it fails, for the releaser
   * and the waiter alike, both are in doubt.
   */
  CompletionStage<Boolean> handOver(LockReference from, Duration limit, Operations operations) {
    CancelSignal.Registration registration = call.signal().onCancel(this::abort);
    onAnswer(registration::close);
    return operations
        .begin(new LockOperation.HandOver(from, request), Call.ofRelease(limit))
        .whenComplete(
            (granted, failure) -> {
              if (failure != null) {
                answer.completeExceptionally(failure);
              } else {
                granted.ifPresent(answer::complete);
              }
            })
        .thenApply(Optional::isPresent);
  }

  private void abort() {
    answer.completeExceptionally(
        SyncGuardException.withUnknownOutcome(
            SyncGuardException.Code.ABORTED,
            "The wait was cancelled while the lock was passed on to it",
            request.subject(),
            null));
  }

  /**
   * Makes the attempt; to be called once, by the one that took it, unless it is called off. Never
   * throws.
   */
  void attempt(Operations operations) {
    if (answer.isDone()) {
      return;
    }
    LockOperation.Acquire asked =
        new LockOperation.Acquire(request.key(), request.lockId(), request.ttl(), !isHandOver());
    operations
        .begin(asked, call)
        .whenComplete(
            (attempt, failure) -> {
              if (failure == null) {
                answer.complete(attempt);
              } else {
                answer.completeExceptionally(failure);
              }
            });
  }
}
