package io.syncguard.internal;

import io.syncguard.SyncGuard;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the steps of something that waits without a thread. Answers, timers, hints and cancellation
 * all call {@link #drive}; one of them at a time takes the next step, so that what the steps change
 * needs no lock.
 */
public final class Steps {

  private static final Logger log = LoggerFactory.getLogger(SyncGuard.class);
  private static final int MOST_NESTED_DRIVES = 50;

  /** Not the threads that users' listeners run in: those may all be blocked. */
  private static final Executor OTHER_THREADS = new BoundedThreads("syncguard-steps", 2);

  private static final ThreadLocal<Integer> NESTED_DRIVES = ThreadLocal.withInitial(() -> 0);

  private final Runnable step;
  private final AtomicInteger calls = new AtomicInteger();

  /** Takes steps by running this. What it throws is logged, and ends no later step. */
  public Steps(Runnable step) {
    this.step = step;
  }

  /**
   * Has a step taken, here or by the thread that takes one now. Where a store answers at once, one
   * waiter's release drives the next waiter, whose release drives the next: a long chain of them
   * goes on in another thread before the stack is full.
   */
  public void drive() {
    int nested = NESTED_DRIVES.get();
    if (nested >= MOST_NESTED_DRIVES) {
      OTHER_THREADS.execute(this::drive);
      return;
    }
    NESTED_DRIVES.set(nested + 1);
    try {
      driveHere();
    } finally {
      NESTED_DRIVES.set(nested);
    }
  }

  private void driveHere() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      stepLogged();
      seen = calls.addAndGet(-seen);
    } while (seen != 0);
  }

  private void stepLogged() {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      log.warn("A step failed", e);
    }
  }
}
