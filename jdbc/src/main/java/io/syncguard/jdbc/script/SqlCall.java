package io.syncguard.jdbc.script;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call that has reached its database: what ends it, and what a failure tells its caller.
 *
 * @param subject what the operation is about
 * @param call the caller's limits
 * @param startedAt when it reached the store, by {@link System#nanoTime}
 */
public record SqlCall(Subject subject, Call call, long startedAt) {

  /** Far from where a sum of nanoseconds overflows. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  /** Returns a call that starts now. */
  public static SqlCall of(Subject subject, Call call) {
    return new SqlCall(subject, call, System.nanoTime());
  }

  /** Returns a call that the store makes for itself, and that starts now. */
  public static SqlCall ofStore() {
    return of(Subject.NONE, Call.plain());
  }

  /** Returns what calls it off. */
  public CancelSignal signal() {
    return call.signal();
  }

  /** Returns whether an interrupt of its thread calls it off as well. */
  public boolean isInterruptible() {
    return call.isInterruptible();
  }

  /**
   * Returns when its time is over, by {@link System#nanoTime}.
   *
   * @param usual how long the store lets a call take, counted from its start
   */
  public long deadline(Duration usual) {
    long now = System.nanoTime();
    Duration left = call.timeLeft(usual.minusNanos(now - startedAt));
    return now + Math.min(LONGEST_NANOS, TimeSource.saturatedNanos(left));
  }

  /** Returns whether the caller's own limit is over, which may be shorter than the store's. */
  public boolean isOver() {
    return call.timeLeft().isZero();
  }

  /** Returns whether it was called off, by its signal or by an interrupt of this thread. */
  public boolean isAborted() {
    return signal().isCancelled() || (isInterruptible() && Thread.currentThread().isInterrupted());
  }

  /** JDBC does not notice an interrupt, so this looks for one before the database is asked. */
  public void throwIfAborted() {
    signal().throwIfCancelled();
    if (isAborted()) {
      throw failure(Code.ABORTED, "The thread was interrupted before the database was asked", null);
    }
  }

  /** A cancellation may come too late to stop the database, but not too late for the caller. */
  public void throwIfCancelledMeanwhile() {
    if (signal().isCancelled()) {
      throw unknown(Code.ABORTED, "The operation was cancelled while it was under way", null);
    }
  }

  /** Returns the answer of a script that always has one. */
  public <T> T answered(@Nullable T answer) {
    if (answer == null) {
      throw failure(Code.INTERNAL, "The database answered with nothing", null);
    }
    return answer;
  }

  /** Returns a failure after which the database is known to be unchanged. */
  public SyncGuardException failure(Code code, String message, @Nullable Throwable cause) {
    return new SyncGuardException(code, message, subject, cause);
  }

  /** Returns a failure after which it is not known whether the database did what was asked. */
  public SyncGuardException unknown(Code code, String message, @Nullable Throwable cause) {
    return SyncGuardException.withUnknownOutcome(code, message, subject, cause);
  }
}
