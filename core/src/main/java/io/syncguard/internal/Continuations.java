package io.syncguard.internal;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where continuations of the user's run. Every stage that the API hands out passes through here, so
 * that no code of the user's runs on a timer or on an I/O thread of a driver, and so that nothing
 * of a guard's own ever waits for code of the user's.
 */
public final class Continuations {

  private static final Logger log = LoggerFactory.getLogger(SyncGuard.class);

  /** Enough that many may block, few enough that a machine survives it. */
  private static final int MOST_THREADS = 256;

  private static final Executor OURS = new BoundedThreads("syncguard-continuation", MOST_THREADS);

  private final Executor executor;
  private final AtomicBoolean refused = new AtomicBoolean();

  /** Runs them in the executor of the options, or in threads of the library's own. */
  public Continuations(GuardOptions options) {
    this.executor = options.executor().orElse(OURS);
  }

  /**
   * Runs code of the user's soon and returns at once; never throws. An executor that takes nothing
   * any more is replaced by the library's own, since a user's code waits for this.
   */
  public void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RuntimeException | Error e) {
      if (refused.compareAndSet(false, true)) {
        log.warn("The executor of this SyncGuard refuses; the library's own threads are used", e);
      }
      OURS.execute(task);
    }
  }

  /** Begins an operation that does not block and hands its stage out; never throws. */
  public <T> CompletionStage<T> handOut(Supplier<? extends CompletionStage<T>> operation) {
    CompletionStage<T> stage;
    try {
      stage = operation.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return handOut(stage, value -> {}, () -> {});
  }

  /**
   * Begins something that gets what must be given back, and hands its future out; never throws. If
   * the user completes the future before, the acquisition's own is cancelled.
   */
  public <T> CompletionStage<T> handOutAcquired(
      Supplier<CompletableFuture<T>> acquisition, Consumer<? super T> giveBack) {
    CompletableFuture<T> acquiring;
    try {
      acquiring = acquisition.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return handOut(acquiring, giveBack, () -> acquiring.cancel(false));
  }

  /** What is complete already runs no code of the user's but in the user's own thread. */
  private <T> CompletionStage<T> handOut(
      CompletionStage<T> stage, Consumer<? super T> giveBack, Runnable unwanted) {
    return stage.toCompletableFuture().isDone()
        ? stage
        : HandedOut.of(stage, this, giveBack, unwanted);
  }
}
