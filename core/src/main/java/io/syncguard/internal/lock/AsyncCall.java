package io.syncguard.internal.lock;

import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A task under a lock, without a thread that waits. Whatever the task does, and whatever the caller
 * does to its future, the lock is released: at once if the task need not run any more, or must not
 * because its lock is lost already, otherwise when the task's stage is done.
 */
final class AsyncCall<T> {

  private final LockEngine engine;
  private final Function<LockHandle, CompletionStage<T>> task;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  AsyncCall(LockEngine engine, Function<LockHandle, CompletionStage<T>> task) {
    this.engine = engine;
    this.task = task;
  }

  /** Has the task run once the lock is there; cancelling the future ends the wait for it. */
  CompletableFuture<T> start(CompletableFuture<LockHandle> acquiring) {
    CompletionStage<LockHandle> acquired = acquiring;
    acquired.whenComplete(
        (lock, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else {
            engine.guard().continuations().execute(() -> run((HeldLock) lock));
          }
        });
    CompletionStage<T> done = result;
    done.whenComplete((value, failure) -> acquiring.cancel(false));
    return result;
  }

  private void run(HeldLock lock) {
    if (result.isDone() || !lock.isHeld()) {
      end(lock, null, null);
      return;
    }
    try {
      CompletionStage<T> running = task.apply(lock);
      if (running == null) {
        throw new NullPointerException("The task returned null instead of a stage");
      }
      running.whenComplete((value, failure) -> end(lock, value, failure));
    } catch (RuntimeException | Error e) {
      end(lock, null, e);
    }
  }

  private void end(HeldLock lock, @Nullable T value, @Nullable Throwable failure) {
    lock.closeAfterTaskAsync()
        .whenComplete(
            (held, ignored) -> {
              LockLostException loss =
                  Boolean.FALSE.equals(held) ? new LockLostException(lock, value) : null;
              if (failure != null) {
                result.completeExceptionally(withLoss(failure, loss));
              } else if (loss != null) {
                result.completeExceptionally(loss);
              } else {
                result.complete(value);
              }
            });
  }

  /** What the task itself failed with wins, and carries the loss. */
  private static Throwable withLoss(Throwable failure, @Nullable LockLostException loss) {
    if (loss != null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
      (cause == null ? failure : cause).addSuppressed(loss);
    }
    return failure;
  }
}
