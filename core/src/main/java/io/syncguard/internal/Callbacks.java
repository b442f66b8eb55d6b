package io.syncguard.internal;

import io.syncguard.SyncGuard;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs users' loss listeners in daemon threads of their own, so that a slow one delays no timer.
 */
public final class Callbacks {

  private static final Logger log = LoggerFactory.getLogger(SyncGuard.class);
  private static final Duration IDLE_THREAD_LIVES = Duration.ofSeconds(10);

  private static final Executor EXECUTOR =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_THREAD_LIVES.toMillis(),
          TimeUnit.MILLISECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "syncguard-callback");
            thread.setDaemon(true);
            return thread;
          });

  private Callbacks() {}

  /** Runs it soon and returns at once. */
  public static void run(Runnable listener) {
    EXECUTOR.execute(
        () -> {
          try {
            listener.run();
          } catch (RuntimeException e) {
            log.warn("A loss listener failed", e);
          }
        });
  }
}
