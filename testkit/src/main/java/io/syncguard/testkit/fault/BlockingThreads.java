package io.syncguard.testkit.fault;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Where a decorated backend carries out its asynchronous operations by blocking ones: in the
 * caller's thread, so that a test whose time stands still sees their effect at once, unless others
 * depend on that thread. The timer ends what a store does not answer, and an I/O thread of the
 * store's driver would wait for an answer that only itself can read.
 */
final class BlockingThreads {

  private static final Executor OTHERS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "testkit-blocking");
            thread.setDaemon(true);
            return thread;
          });

  private BlockingThreads() {}

  static void execute(Runnable task) {
    String caller = Thread.currentThread().getName();
    if (caller.startsWith("syncguard-timer") || caller.startsWith("lettuce-")) {
      OTHERS.execute(task);
    } else {
      task.run();
    }
  }
}
