package io.syncguard.internal.operation;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Turns stages into blocking calls. */
public final class Answers {

  private Answers() {}

  /** Blocks until the stage completes; throws what it failed with. */
  public static <T> T await(CompletionStage<T> stage, Subject subject) {
    try {
      return stage.toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SyncGuardException.withUnknownOutcome(
          Code.ABORTED, "The thread was interrupted while the store had not answered", subject, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SyncGuardException failure
          ? failure.fromHere()
          : SyncGuardException.withUnknownOutcome(
              Code.INTERNAL, "The store failed in an unexpected way", subject, e.getCause());
    }
  }
}
