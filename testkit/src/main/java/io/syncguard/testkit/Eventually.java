package io.syncguard.testkit;

import java.time.Duration;

/** Waits for what happens in another thread. */
public final class Eventually {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(2);

  private Eventually() {}

  /** Something that may throw while it is not yet so. */
  @FunctionalInterface
  public interface Check {

    /** Returns if it is so, throws if it is not. */
    void run() throws Exception;
  }

  /** Blocks until the check passes; fails with its last failure after 20 s. */
  public static void eventually(Check check) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        check.run();
        return;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception | AssertionError e) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError("Not so after " + PATIENCE + ": " + e.getMessage(), e);
        }
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  /** Blocks until the thread waits for something, as a waiter for a lock does. */
  public static void untilWaiting(Thread thread) throws InterruptedException {
    eventually(
        () -> {
          Thread.State state = thread.getState();
          if (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING) {
            throw new AssertionError("The thread is " + state);
          }
        });
  }
}
