package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;

/** Whether a part of the store can still be used. */
final class OpenState {

  private volatile boolean closed;

  /** Is called at the beginning of every operation. */
  void begin(CancelSignal signal) {
    signal.throwIfCancelled();
    if (closed) {
      throw SyncGuardException.closed("The in-memory store is closed", null);
    }
  }

  void close() {
    closed = true;
  }
}
