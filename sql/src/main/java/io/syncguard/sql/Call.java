package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a caller waits for the database, and what a failure tells it. All that the operation
 * waits for is part of its time: its turn, a connection, the answer.
 *
 * @param context what the operation is about
 * @param signal what calls it off
 * @param timeout how long it may take, or null for what the database has as its default
 * @param interruptible whether an interrupt of its thread calls it off as well
 * @param startedAt when it began, by {@link System#nanoTime}
 */
record Call(
    SyncGuardException.Context context,
    CancelSignal signal,
    @Nullable Duration timeout,
    boolean interruptible,
    long startedAt) {

  /** Far from where a sum of nanoseconds overflows. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  static Call of(@Nullable String key, @Nullable String lockId, CancelSignal signal) {
    return of(new SyncGuardException.Context(key, lockId), signal);
  }

  static Call of(SyncGuardException.Context context, CancelSignal signal) {
    return new Call(context, signal, null, true, System.nanoTime());
  }

  /** Returns a call that nothing but its time ends, as an aborted task frees its lock too. */
  static Call ofRelease(SyncGuardException.Context context, Duration timeout) {
    return new Call(context, CancelSignal.never(), timeout, false, System.nanoTime());
  }

  Call within(Duration timeout) {
    return new Call(context, signal, timeout, interruptible, startedAt);
  }

  /** Returns whether the caller has set a shorter limit than the database has by default. */
  boolean hasLessTimeThan(Duration usual) {
    return timeout != null && timeout.compareTo(usual) < 0;
  }

  /** Returns when its time is over, by {@link System#nanoTime}. */
  long deadline(Duration usual) {
    Duration shorter = timeout != null && hasLessTimeThan(usual) ? timeout : usual;
    return startedAt + Math.min(LONGEST_NANOS, TimeSource.saturatedNanos(shorter));
  }

  /** Returns whether it was called off, by its signal or by an interrupt of this thread. */
  boolean isAborted() {
    return signal.isCancelled() || (interruptible && Thread.currentThread().isInterrupted());
  }

  /** JDBC does not notice an interrupt, so it is looked for before. */
  void throwIfAborted() {
    signal.throwIfCancelled();
    if (isAborted()) {
      throw failure(Code.ABORTED, "The thread was interrupted before the database was asked", null);
    }
  }

  /** Cancelling may come too late to stop the database, but not too late for the caller. */
  void throwIfCancelledMeanwhile() {
    if (signal.isCancelled()) {
      throw unknown(Code.ABORTED, "The operation was cancelled while it was under way", null);
    }
  }

  /** Returns the answer of a script that always has one. */
  <T> T answered(@Nullable T answer) {
    if (answer == null) {
      throw failure(Code.INTERNAL, "The database answered with nothing", null);
    }
    return answer;
  }

  SyncGuardException failure(Code code, String message, @Nullable Throwable cause) {
    return new SyncGuardException(code, message, context, cause);
  }

  SyncGuardException unknown(Code code, String message, @Nullable Throwable cause) {
    return SyncGuardException.withUnknownOutcome(code, message, context, cause);
  }
}
