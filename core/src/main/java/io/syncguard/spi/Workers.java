package io.syncguard.spi;

import java.time.Duration;
import java.util.concurrent.Executor;

/** The threads in which a store that blocks serves callers who must not block. */
public interface Workers extends Executor {

  /**
   * Has a thread carry out the task, and returns at once.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many wait already
   * @throws io.syncguard.SyncGuardException that is not transient if the store is closed
   */
  @Override
  void execute(Runnable task);

  /** Returns how long an operation is worth waiting for a thread. */
  Duration patience();
}
