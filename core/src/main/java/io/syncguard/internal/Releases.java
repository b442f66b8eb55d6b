package io.syncguard.internal;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/**
 * Releases things until the outcome is definite. No caller's cancellation or interrupt reaches it:
 * an aborted task still frees what it holds.
 *
 * @param <T> what is released
 * @param <R> how a release ended
 */
public final class Releases<T, R> {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Operation<T, R> operation;
  private final TimeSource time;
  private final Duration timeout;
  private final Gate gate;

  /**
   * One try to release, as the store has it.
   *
   * @param <T> what is released
   * @param <R> how a release ended
   */
  public interface Operation<T, R> {

    /** Blocks for one try. */
    R release(T released, Duration timeout);

    /** Makes one try and returns at once. */
    CompletionStage<R> releaseAsync(T released, Duration timeout);

    /** Makes one try that nobody waits for any more, and returns at once. */
    default CompletionStage<R> releaseInBackground(T released, Duration timeout) {
      return releaseAsync(released, timeout);
    }

    /** Returns what an exception about it carries. */
    SyncGuardException.Context context(T released);

    /** Returns whether the store knew of nothing to release. */
    boolean isAbsent(R answer);

    /**
     * Takes a definite answer and returns what to tell the caller.
     *
     * @param inDoubt whether an earlier try may have been the one that released
     */
    R settled(T released, R answer, boolean inDoubt);
  }

  /** Tries for as long as the timeout before a release goes on in the background. */
  public Releases(Operation<T, R> operation, TimeSource time, Duration timeout, Gate gate) {
    this.operation = operation;
    this.time = time;
    this.timeout = timeout;
    this.gate = gate;
  }

  /** Blocks until the outcome is definite or the timeout is over. */
  public R now(T released, Duration life) {
    boolean interrupted = Thread.interrupted();
    try {
      long deadline = time.nanoTime() + TimeSource.saturatedNanos(timeout);
      boolean inDoubt = false;
      gate.throwIfClosed();
      for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
        try {
          long left = Math.max(1, deadline - time.nanoTime());
          return operation.settled(
              released, operation.release(released, Duration.ofNanos(left)), inDoubt);
        } catch (SyncGuardException e) {
          interrupted |= Thread.interrupted();
          inDoubt |= e.isOutcomeUnknown();
          if (gate.isClosed() || !worthRepeating(e)) {
            throw e;
          }
          if (deadline - time.nanoTime() <= pause.toNanos()) {
            inBackground(released, life);
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

  /** Returns at once; the stage completes when the outcome is definite or the timeout is over. */
  public CompletionStage<R> async(T released, Duration life) {
    long deadline = time.nanoTime() + TimeSource.saturatedNanos(timeout);
    CompletableFuture<R> result = new CompletableFuture<>();
    try {
      gate.throwIfClosed();
    } catch (SyncGuardException e) {
      return CompletableFuture.failedFuture(e);
    }
    attempt(released, deadline, FIRST_PAUSE, false, result);
    return result.whenComplete(
        (answer, failure) -> {
          if (failure != null
              && worthRepeating(
                  Failures.asSyncGuardException(failure, operation.context(released)))) {
            inBackground(released, life);
          }
        });
  }

  private void attempt(
      T released, long deadline, Duration pause, boolean inDoubt, CompletableFuture<R> result) {
    long left = Math.max(1, deadline - time.nanoTime());
    operation
        .releaseAsync(released, Duration.ofNanos(left))
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                result.complete(operation.settled(released, answer, inDoubt));
                return;
              }
              SyncGuardException e =
                  Failures.asSyncGuardException(failure, operation.context(released));
              if (gate.isClosed()
                  || !worthRepeating(e)
                  || deadline - time.nanoTime() <= pause.toNanos()) {
                result.completeExceptionally(e);
                return;
              }
              boolean stillInDoubt = inDoubt || e.isOutcomeUnknown();
              time.schedule(
                  () -> attempt(released, deadline, longer(pause), stillInDoubt, result), pause);
            });
  }

  /** Goes on with a release that was given up, until it is definite or the time is over. */
  public void inBackground(T released, Duration life) {
    repeat(released, time.nanoTime() + TimeSource.saturatedNanos(life), FIRST_PAUSE, false);
  }

  /**
   * Frees what an acquisition that was given up in doubt may have got. That acquisition may still
   * be on its way to the store, so "not found" is not definite: it is asked again until what it got
   * would have expired.
   */
  public void afterAbandonedAcquisition(T released, Duration life) {
    repeat(released, time.nanoTime() + TimeSource.saturatedNanos(life), FIRST_PAUSE, true);
  }

  private void repeat(T released, long giveUpAt, Duration pause, boolean mayArriveLate) {
    if (gate.isClosed()) {
      return;
    }
    operation
        .releaseInBackground(released, timeout)
        .whenComplete(
            (answer, failure) -> {
              boolean definite;
              if (failure == null) {
                operation.settled(released, answer, true);
                definite = !mayArriveLate || !operation.isAbsent(answer);
              } else {
                definite =
                    !worthRepeating(
                        Failures.asSyncGuardException(failure, operation.context(released)));
              }
              if (!definite && giveUpAt - time.nanoTime() > pause.toNanos()) {
                time.schedule(
                    () -> repeat(released, giveUpAt, longer(pause), mayArriveLate), pause);
              }
            });
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
