package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Turns stages into blocking calls. */
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
}
