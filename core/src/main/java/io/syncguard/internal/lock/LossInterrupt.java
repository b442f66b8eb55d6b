package io.syncguard.internal.lock;

import io.syncguard.lock.LockOptions;

/**
 * Interrupts the thread that runs guarded code when the lock is lost, and never after that code.
 */
final class LossInterrupt implements AutoCloseable {

  private final Thread thread = Thread.currentThread();
  private boolean over;
  private boolean interrupted;

  private LossInterrupt() {}

  static LossInterrupt of(HeldLock lock, LockOptions options) {
    LossInterrupt interrupt = new LossInterrupt();
    if (options.interruptOnLoss()) {
      // Not through the threads of listeners: those may all be blocked.
      lock.onLostHere(interrupt::interrupt);
    }
    return interrupt;
  }

  private synchronized void interrupt() {
    if (!over) {
      interrupted = true;
      thread.interrupt();
    }
  }

  /** Takes back an interrupt of ours that the guarded code did not notice. */
  @Override
  public synchronized void close() {
    over = true;
    if (interrupted) {
      Thread.interrupted();
    }
  }
}
