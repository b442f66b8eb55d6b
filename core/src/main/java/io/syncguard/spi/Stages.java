package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** Turns stages into blocking calls and blocking calls into stages. */
final class Stages {

  private Stages() {}

  /** Blocks until the stage completes; throws what it failed with. */
  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SyncGuardException.withUnknownOutcome(
          Code.ABORTED,
          "The thread was interrupted while the store had not answered",
          SyncGuardException.Context.NONE,
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SyncGuardException failure
          ? fromHere(failure)
          : SyncGuardException.withUnknownOutcome(
              Code.INTERNAL,
              "The store failed in an unexpected way",
              SyncGuardException.Context.NONE,
              e.getCause());
    }
  }

  /** The same failure with the stack of the thread that it matters to. */
  private static SyncGuardException fromHere(SyncGuardException failure) {
    String message = String.valueOf(failure.getMessage());
    return failure.isOutcomeUnknown()
        ? SyncGuardException.withUnknownOutcome(failure.code(), message, failure.context(), failure)
        : new SyncGuardException(failure.code(), message, failure.context(), failure);
  }

  /** Has the executor run the operation; returns at once, unless the executor runs it here. */
  static <T> CompletionStage<T> offload(Executor executor, Supplier<T> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      executor.execute(() -> run(operation, result));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(
          new SyncGuardException(
              Code.SERVICE_UNAVAILABLE,
              "The store takes no more operations: it is closed or has too many waiting",
              SyncGuardException.Context.NONE,
              e));
    }
    return result;
  }

  private static <T> void run(Supplier<T> operation, CompletableFuture<T> result) {
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
