package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;

/** What the store keeps for one kind of primitive. Thread-safe. */
abstract class MemoryPart {

  final StoreClock clock;
  private final Sweeper sweeper;
  private volatile boolean closed;

  MemoryPart(StoreClock clock) {
    this.clock = clock;
    this.sweeper = new Sweeper(clock.time(), this);
  }

  /** Is called at the beginning of every operation. */
  final void begin(CancelSignal signal) {
    signal.throwIfCancelled();
    if (closed) {
      throw SyncGuardException.closed("The in-memory store is closed", null);
    }
  }

  /** Has what expires forgotten in time; is called after every operation that stores something. */
  final void sweepLater() {
    sweeper.start();
  }

  /** Forgets what expired long enough ago; returns whether anything is left. */
  abstract boolean sweep();

  /** Returns how much is kept, expired or not. */
  abstract int size();

  /** Forgets everything. */
  abstract void clear();

  final void close() {
    closed = true;
    clear();
  }
}
