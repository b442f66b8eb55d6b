package io.syncguard.internal;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;

/** Lets operations of a guard begin until it is closed, unless they were called off. */
public final class Gate {

  private final CancelSignal closing = CancelSignal.create();

  /** An open gate. */
  public Gate() {}

  /** Lets nothing begin from now on. */
  public void close() {
    closing.cancel();
  }

  /** Has this run when the gate is closed, or now if it is; it must not block. */
  public CancelSignal.Registration onClose(Runnable action) {
    return closing.onCancel(action);
  }

  /** Returns whether nothing may begin any more. */
  public boolean isClosed() {
    return closing.isCancelled();
  }

  /** Returns at once unless the guard is closed. */
  public void throwIfClosed() {
    if (closing.isCancelled()) {
      throw SyncGuardException.closed("This SyncGuard is closed", null);
    }
  }

  /** Returns at once unless the guard is closed or the signal cancelled. */
  public void throwIfCancelled(CancelSignal signal) {
    throwIfClosed();
    signal.throwIfCancelled();
  }

  /** Is called before an operation blocks, so that a cancelled operation does not begin. */
  public void throwIfAborted(CancelSignal signal) {
    throwIfCancelled(signal);
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted();
    }
  }

  /** Returns what to fail with when the thread was interrupted. */
  public static SyncGuardException interrupted() {
    return new SyncGuardException(Code.ABORTED, "The thread was interrupted");
  }
}
