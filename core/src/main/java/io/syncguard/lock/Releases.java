package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.AsyncLockBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Releases locks until the outcome is definite. No caller's cancellation or interrupt reaches it:
 * an aborted task still frees its lock.
 */
final class Releases {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final LockBackend backend;
  private final TimeSource time;
  private final Duration timeout;
  private final WaitingLines lines;
  private volatile boolean closed;

  Releases(LockBackend backend, TimeSource time, Duration timeout, WaitingLines lines) {
    this.backend = backend;
    this.time = time;
    this.timeout = timeout;
    this.lines = lines;
  }

  /** Ends what goes on in the background. */
  void close() {
    closed = true;
  }

  private void throwIfClosed() {
    if (closed) {
      throw LockEngine.closedFailure();
    }
  }

  /** Blocks until the outcome is definite or the timeout is over. */
  ReleaseResult now(LockReference lock, Duration ttl) {
    boolean interrupted = Thread.interrupted();
    try {
      long deadline = time.nanoTime() + TimeSource.saturatedNanos(timeout);
      boolean inDoubt = false;
      throwIfClosed();
      for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
        try {
          long left = Math.max(1, deadline - time.nanoTime());
          return settled(lock, release(lock, Duration.ofNanos(left)), inDoubt);
        } catch (SyncGuardException e) {
          interrupted |= Thread.interrupted();
          inDoubt |= e.isOutcomeUnknown();
          if (closed || !worthRepeating(e)) {
            throw e;
          }
          if (deadline - time.nanoTime() <= pause.toNanos()) {
            inBackground(lock, ttl);
            throw e;
          }
        }
        interrupted |= pauseWasInterrupted(pause);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private ReleaseResult release(LockReference lock, Duration limit) {
    Offer next = nextWaiters(lock);
    return next == null
        ? backend.release(lock, limit)
        : AsyncLockBackend.await(releaseAndHandOver(lock, limit, next));
  }

  private @Nullable Offer nextWaiters(LockReference lock) {
    return lock.key() == null ? null : lines.takeOfferFor(lock.key(), lock.lockId());
  }

  /** Passes the lock on in one step if the store can. */
  private CompletionStage<ReleaseResult> releaseAndHandOver(
      LockReference lock, Duration limit, Offer next) {
    CompletionStage<Boolean> done = next.handOver(lock, limit, backend.async());
    return done.thenCompose(
        handedOver ->
            handedOver
                ? CompletableFuture.completedFuture(ReleaseResult.RELEASED)
                : releaseBefore(next, lock, limit));
  }

  /** Sends the release and, without awaiting its answer, the next waiter's attempt. */
  private CompletionStage<ReleaseResult> releaseBefore(
      Offer next, LockReference lock, Duration limit) {
    try {
      return backend.async().release(lock, limit);
    } finally {
      next.attempt(backend.async());
    }
  }

  /** Returns at once; the stage completes when the outcome is definite or the timeout is over. */
  CompletionStage<ReleaseResult> async(LockReference lock, Duration ttl) {
    long deadline = time.nanoTime() + TimeSource.saturatedNanos(timeout);
    CompletableFuture<ReleaseResult> result = new CompletableFuture<>();
    try {
      throwIfClosed();
    } catch (SyncGuardException e) {
      return CompletableFuture.failedFuture(e);
    }
    attempt(lock, deadline, FIRST_PAUSE, false, result);
    return result.whenComplete(
        (released, failure) -> {
          if (failure != null
              && worthRepeating(Failures.asSyncGuardException(failure, lock.context()))) {
            inBackground(lock, ttl);
          }
        });
  }

  private void attempt(
      LockReference lock,
      long deadline,
      Duration pause,
      boolean inDoubt,
      CompletableFuture<ReleaseResult> result) {
    long left = Math.max(1, deadline - time.nanoTime());
    Offer next = nextWaiters(lock);
    CompletionStage<ReleaseResult> releasing =
        next == null
            ? backend.async().release(lock, Duration.ofNanos(left))
            : releaseAndHandOver(lock, Duration.ofNanos(left), next);
    releasing.whenComplete(
        (released, failure) -> {
          if (failure == null) {
            result.complete(settled(lock, released, inDoubt));
            return;
          }
          SyncGuardException e = Failures.asSyncGuardException(failure, lock.context());
          if (closed || !worthRepeating(e) || deadline - time.nanoTime() <= pause.toNanos()) {
            result.completeExceptionally(e);
            return;
          }
          boolean stillInDoubt = inDoubt || e.isOutcomeUnknown();
          time.schedule(() -> attempt(lock, deadline, longer(pause), stillInDoubt, result), pause);
        });
  }

  /** Goes on with a release that was given up, until it is definite or the lock has expired. */
  private void inBackground(LockReference lock, Duration ttl) {
    repeat(lock, time.nanoTime() + TimeSource.saturatedNanos(ttl), FIRST_PAUSE, false);
  }

  /**
   * Frees a lock whose acquisition was given up in doubt. That acquisition may still be on its way
   * to the store, so "not found" is not definite: it is asked again until the lock would have
   * expired.
   */
  void afterAbandonedAcquisition(LockReference lock, Duration ttl) {
    repeat(lock, time.nanoTime() + TimeSource.saturatedNanos(ttl), FIRST_PAUSE, true);
  }

  private void repeat(LockReference lock, long giveUpAt, Duration pause, boolean mayArriveLate) {
    if (closed) {
      return;
    }
    backend
        .async()
        .release(lock, timeout)
        .whenComplete(
            (released, failure) -> {
              boolean definite;
              if (failure == null) {
                settled(lock, released, true);
                definite = !mayArriveLate || released != ReleaseResult.NOT_FOUND;
              } else {
                definite = !worthRepeating(Failures.asSyncGuardException(failure, lock.context()));
              }
              if (!definite && giveUpAt - time.nanoTime() > pause.toNanos()) {
                time.schedule(() -> repeat(lock, giveUpAt, longer(pause), mayArriveLate), pause);
              }
            });
  }

  private ReleaseResult settled(LockReference lock, ReleaseResult answer, boolean inDoubt) {
    if (lock.key() != null) {
      lines.released(lock.key(), lock.lockId());
    }
    return inDoubt && answer == ReleaseResult.NOT_FOUND ? ReleaseResult.RELEASED : answer;
  }

  /** An interrupt that hit the store's call is one of the caller's and no reason to stop. */
  private static boolean worthRepeating(SyncGuardException e) {
    return e.isTransient() || e.isOutcomeUnknown();
  }

  private boolean pauseWasInterrupted(Duration pause) {
    try {
      time.await(new Semaphore(0), pause.toNanos());
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private static Duration longer(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }
}
