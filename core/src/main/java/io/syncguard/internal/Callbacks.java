package io.syncguard.internal;

import java.util.concurrent.Executor;

/**
 * Runs users' loss listeners in daemon threads of their own, so that a slow one delays no timer.
 */
public final class Callbacks {

  /** So many losses are told at the same time; a listener that blocks holds up later ones only. */
  private static final int MOST_THREADS = 64;

  private static final Executor EXECUTOR = new BoundedThreads("syncguard-callback", MOST_THREADS);

  private Callbacks() {}

  /** Runs it soon and returns at once; never throws. */
  public static void run(Runnable listener) {
    EXECUTOR.execute(listener);
  }
}
