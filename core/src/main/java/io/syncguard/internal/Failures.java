package io.syncguard.internal;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.CompletionException;

/** Turns what a stage failed with into what the user sees. */
public final class Failures {

  private Failures() {}

  /**
   * Returns the failure itself if it is SyncGuard's, otherwise one that says that the store failed.
   */
  public static SyncGuardException asSyncGuardException(Throwable failure, Subject subject) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof SyncGuardException e) {
      return e;
    }
    return SyncGuardException.withUnknownOutcome(
        Code.INTERNAL, "The store failed in an unexpected way", subject, cause);
  }
}
