package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a caller waits for the database, and what a failure tells it.
 *
 * @param context what the operation is about
 * @param signal what calls it off
 * @param timeout how long it may take, or null for what the database has as its default
 */
record Call(SyncGuardException.Context context, CancelSignal signal, @Nullable Duration timeout) {

  static Call of(@Nullable String key, @Nullable String lockId, CancelSignal signal) {
    return new Call(new SyncGuardException.Context(key, lockId), signal, null);
  }

  Call within(Duration timeout) {
    return new Call(context, signal, timeout);
  }

  /** JDBC does not notice an interrupt, so it is looked for before. */
  void throwIfAborted() {
    signal.throwIfCancelled();
    if (Thread.currentThread().isInterrupted()) {
      throw new SyncGuardException(
          Code.ABORTED, "The thread was interrupted before the database was asked", context, null);
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
