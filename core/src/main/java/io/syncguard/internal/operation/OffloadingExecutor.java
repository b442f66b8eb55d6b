package io.syncguard.internal.operation;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.Workers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has a store's workers carry out operations that block. One that no thread has come to, because a
 * store that hangs keeps them all, ends by its time or its signal without being carried out; one
 * that is under way ends by itself, in what is left of its time.
 */
final class OffloadingExecutor implements OperationExecutor {

  private final OperationExecutor blocking;
  private final Workers workers;

  OffloadingExecutor(OperationExecutor blocking, Workers workers) {
    this.blocking = blocking;
    this.workers = workers;
  }

  /** Returns at once, unless the workers run it here. */
  @Override
  public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
    Duration limit = call.timeLeft(workers.patience());
    Call limited = call.within(limit);
    Task<A> task = new Task<>(operation, limited);
    try {
      workers.execute(task);
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
      task.endBy(limit, call.signal());
    }
    return task.result;
  }

  private final class Task<A> implements Runnable {

    private final Operation<A> operation;
    private final Call call;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<A> result = new CompletableFuture<>();

    Task(Operation<A> operation, Call call) {
      this.operation = operation;
      this.call = call;
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
      CompletionStage<A> done = result;
      done.whenComplete(
          (value, failure) -> {
            cancelling.close();
            timer.cancel();
          });
    }

    void giveUp(Code code, String message) {
      fail(new SyncGuardException(code, message, operation.subject(), null));
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
      try {
        blocking
            .execute(operation, call)
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    result.complete(answer);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
      } catch (RuntimeException | Error e) {
        result.completeExceptionally(e);
      }
    }
  }
}
