package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has an executor carry out blocking operations. One that no thread has come to, because a store
 * that hangs keeps them all, ends by its time or its signal without being carried out; one that is
 * under way ends by itself.
 *
 * @param executor what carries them out
 * @param timeout how long an operation waits for a thread at the most
 */
record Offloading(Executor executor, Duration timeout) {

  /** Returns at once, unless the executor runs it here. */
  <T> CompletionStage<T> offload(CancelSignal signal, Supplier<T> operation) {
    return offload(timeout, signal, left -> operation.get());
  }

  /**
   * Returns at once, unless the executor runs it here; it waits no longer than the limit, and is
   * told what is left of it.
   */
  <T> CompletionStage<T> offload(
      Duration limit, CancelSignal signal, Function<Duration, T> operation) {
    Duration shorter = limit.compareTo(timeout) < 0 ? limit : timeout;
    TimeSource time = TimeSource.system();
    long offloadedAt = time.nanoTime();
    Task<T> task =
        new Task<>(() -> operation.apply(shorter.minusNanos(time.nanoTime() - offloadedAt)));
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      task.giveUp(
          Code.SERVICE_UNAVAILABLE,
          "The store takes no more operations: too many wait, or it is closed");
    } catch (SyncGuardException e) {
      task.fail(e);
    } catch (RuntimeException | Error e) {
      task.giveUp(Code.SERVICE_UNAVAILABLE, "No thread could be started for the operation: " + e);
    }
    if (!task.begun.get()) {
      task.endBy(shorter, signal);
    }
    return task.result;
  }

  private static final class Task<T> implements Runnable {

    private final Supplier<T> operation;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Task(Supplier<T> operation) {
      this.operation = operation;
    }

    void endBy(Duration limit, CancelSignal signal) {
      CancelSignal.Registration cancelling =
          signal.onCancel(
              () -> giveUp(Code.ABORTED, "The operation was cancelled before it began"));
      TimeSource.Timer timer =
          TimeSource.system()
              .schedule(
                  () ->
                      giveUp(
                          Code.SERVICE_UNAVAILABLE,
                          "The store had no thread for the operation in time"),
                  limit);
      CompletionStage<T> done = result;
      done.whenComplete(
          (value, failure) -> {
            cancelling.close();
            timer.cancel();
          });
    }

    void giveUp(Code code, String message) {
      fail(new SyncGuardException(code, message));
    }

    void fail(SyncGuardException failure) {
      if (begun.compareAndSet(false, true)) {
        result.completeExceptionally(failure);
      }
    }

    @Override
    public void run() {
      if (!begun.compareAndSet(false, true)) {
        return;
      }
      T value;
      try {
        value = operation.get();
      } catch (RuntimeException | Error e) {
        result.completeExceptionally(e);
        return;
      }
      result.complete(value);
    }
  }
}
