package io.syncguard.internal;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Lets operations of a guard begin until it is closed, unless they were called off. */
public final class Gate {

  private final Continuations continuations;
  private volatile boolean closed;

  /** An open gate, whose operations' stages are handed out by these. */
  public Gate(Continuations continuations) {
    this.continuations = continuations;
  }

  /** Lets nothing begin from now on. */
  public void close() {
    closed = true;
  }

  /** Returns whether nothing may begin any more. */
  public boolean isClosed() {
    return closed;
  }

  /** Returns at once unless the guard is closed. */
  public void throwIfClosed() {
    if (closed) {
      throw SyncGuardException.closed("This SyncGuard is closed", null);
    }
  }

  /** Returns at once unless the guard is closed or the signal cancelled. */
  public void throwIfCancelled(CancelSignal signal) {
    throwIfClosed();
    signal.throwIfCancelled();
  }

  /** Is called before an operation blocks, so that one that was called off does not begin. */
  public void throwIfAborted(CancelSignal signal) {
    throwIfCancelled(signal);
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted();
    }
  }

  /**
   * Begins an operation that does not block, unless it was called off, and hands its stage out;
   * never throws.
   */
  public <T> CompletionStage<T> begin(
      CancelSignal signal, Supplier<? extends CompletionStage<T>> operation) {
    return continuations.handOut(
        () -> {
          throwIfCancelled(signal);
          return operation.get();
        });
  }

  /**
   * Begins to acquire something, unless that was called off, and hands its future out; never
   * throws. What comes too late for the user is given back.
   */
  public <T> CompletionStage<T> beginAcquiring(
      CancelSignal signal,
      Supplier<CompletableFuture<T>> acquisition,
      Consumer<? super T> giveBack) {
    return continuations.handOutAcquired(
        () -> {
          throwIfCancelled(signal);
          return acquisition.get();
        },
        giveBack);
  }

  /** Returns what to fail with when the thread was interrupted. */
  public static SyncGuardException interrupted() {
    return new SyncGuardException(Code.ABORTED, "The thread was interrupted");
  }
}
