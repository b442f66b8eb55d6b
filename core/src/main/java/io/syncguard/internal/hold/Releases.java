package io.syncguard.internal.hold;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Gate;
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

  static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** A caller's short timeout may be too short for any answer of the store. */
  static final Duration SHORTEST_IN_BACKGROUND = Duration.ofSeconds(5);

  private final Operation<T, R> operation;
  private final TimeSource time;
  private final Duration timeout;
  private final Gate gate;
  private final BackgroundReleases<T, R> background;

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

    /** Makes one try that no caller waits for any more, and returns at once. */
    default CompletionStage<R> releaseInBackground(T released, Duration timeout) {
      return releaseAsync(released, timeout);
    }

    /** Returns it as what something is about. */
    Subject subject(T released);

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
    Duration inBackground =
        timeout.compareTo(SHORTEST_IN_BACKGROUND) < 0 ? SHORTEST_IN_BACKGROUND : timeout;
    this.background = new BackgroundReleases<>(operation, time, inBackground, gate);
  }

  /** Blocks until the outcome is definite or the timeout is over. */
  public R now(T released, Duration life) {
    boolean interrupted = Thread.interrupted();
    try {
      long deadline = time.nanoTime() + TimeSource.saturatedNanos(timeout);
      boolean inDoubt = false;
      for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
        try {
          long left = Math.max(1, deadline - time.nanoTime());
          return operation.settled(
              released, operation.release(released, Duration.ofNanos(left)), inDoubt);
        } catch (SyncGuardException e) {
          interrupted |= Thread.interrupted();
          inDoubt |= e.isOutcomeUnknown();
          if (gate.isClosed() || !isWorthRepeating(e)) {
            throw e;
          }
          if (isTooLate(deadline)) {
            inBackground(released, life);
            throw e;
          }
        }
        interrupted |= pauseWasInterrupted(within(deadline, pause));
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
    attempt(released, deadline, FIRST_PAUSE, false, result);
    return result.whenComplete(
        (answer, failure) -> {
          if (failure != null
              && isWorthRepeating(
                  Failures.asSyncGuardException(failure, operation.subject(released)))) {
            inBackground(released, life);
          }
        });
  }

  private void attempt(
      T released, long deadline, Duration pause, boolean inDoubt, CompletableFuture<R> result) {
    asked(released, deadline)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                result.complete(operation.settled(released, answer, inDoubt));
                return;
              }
              SyncGuardException e =
                  Failures.asSyncGuardException(failure, operation.subject(released));
              if (gate.isClosed() || !isWorthRepeating(e) || isTooLate(deadline)) {
                result.completeExceptionally(e);
                return;
              }
              boolean stillInDoubt = inDoubt || e.isOutcomeUnknown();
              time.schedule(
                  () -> attempt(released, deadline, longer(pause), stillInDoubt, result),
                  within(deadline, pause));
            });
  }

  private CompletionStage<R> asked(T released, long deadline) {
    try {
      long left = Math.max(1, deadline - time.nanoTime());
      return operation.releaseAsync(released, Duration.ofNanos(left));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Goes on with a release that was given up, until it is definite or the time is over. */
  public void inBackground(T released, Duration life) {
    inBackground(released, life, () -> {});
  }

  /**
   * The same.
   *
   * @param asked runs once the store has answered, or cannot be asked for now
   */
  public void inBackground(T released, Duration life, Runnable asked) {
    addToBackground(released, life, false, asked);
  }

  /**
   * Frees what an acquisition that was given up in doubt may have got. That acquisition may still
   * be on its way to the store, so "not found" is definite only once the store has been up for a
   * while, or what it got would have expired.
   */
  public void afterAbandonedAcquisition(T released, Duration life) {
    afterAbandonedAcquisition(released, life, () -> {});
  }

  /**
   * The same.
   *
   * @param asked runs once the store has answered, or cannot be asked for now
   */
  public void afterAbandonedAcquisition(T released, Duration life, Runnable asked) {
    addToBackground(released, life, true, asked);
  }

  /** Ends what goes on in the background; to be called when the gate is closed. */
  public void close() {
    background.close();
  }

  private void addToBackground(T released, Duration life, boolean mayArriveLate, Runnable asked) {
    // The store's client may take note of an interrupt that is its caller's, who then misses it.
    boolean interrupted = Thread.interrupted();
    try {
      background.add(new PendingRelease<>(released, life, mayArriveLate, time.nanoTime(), asked));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns whether a release that failed so goes on in the background. An interrupt that hit the
   * store's call is one of the caller's and no reason to stop.
   */
  public static boolean isWorthRepeating(SyncGuardException e) {
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

  /** Near the deadline the pauses get shorter instead, so that its time is made use of. */
  private Duration within(long deadline, Duration pause) {
    long left = deadline - time.nanoTime();
    return Duration.ofNanos(Math.max(1, Math.min(pause.toNanos(), left / 2)));
  }

  private boolean isTooLate(long deadline) {
    return deadline - time.nanoTime() <= FIRST_PAUSE.toNanos();
  }

  static Duration longer(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }
}
