package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.CompletionException;

/** Turns what a stage failed with into what the user sees. */
final class Failures {

  private Failures() {}

  static SyncGuardException asSyncGuardException(
      Throwable failure, SyncGuardException.Context context) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof SyncGuardException e) {
      return e;
    }
    return SyncGuardException.withUnknownOutcome(
        Code.INTERNAL, "The store failed in an unexpected way", context, cause);
  }
}
