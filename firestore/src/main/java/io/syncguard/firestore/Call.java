package io.syncguard.firestore;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import java.time.Duration;

/**
 * How long a caller waits for Firestore, and what a failure tells it.
 *
 * @param context what the operation is about
 * @param signal what calls it off
 * @param timeout how long it may take
 */
record Call(SyncGuardException.Context context, CancelSignal signal, Duration timeout) {

  /** Returns the same call, which may take no longer than this either. */
  Call within(Duration limit) {
    return limit.compareTo(timeout) < 0 ? new Call(context, signal, limit) : this;
  }
}
