package io.syncguard.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.FirestoreException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Turns what Firestore and its client fail with into SyncGuard's codes, by the status. */
final class FirestoreFailures {

  private FirestoreFailures() {}

  /** Returns whether a commit failed because another client's came first. */
  static boolean isConflict(Throwable failure) {
    return switch (statusOf(failure)) {
      case ABORTED, ALREADY_EXISTS, FAILED_PRECONDITION, NOT_FOUND -> true;
      default -> false;
    };
  }

  /** Returns whether it is unknown what became of a request that failed so. */
  static boolean isOutage(Throwable failure) {
    return switch (statusOf(failure)) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, UNKNOWN -> true;
      // Where a connection breaks in the middle of an answer, the client reports it so.
      case INTERNAL -> hasStatus(failure);
      default -> false;
    };
  }

  static SyncGuardException of(Throwable failure, Subject subject, boolean outcomeUnknown) {
    SyncGuardException known = find(failure, SyncGuardException.class);
    if (known != null) {
      return failure(
          known.code(),
          String.valueOf(known.getMessage()),
          subject,
          known,
          known.isOutcomeUnknown());
    }
    StatusCode.Code status = statusOf(failure);
    return failure(codeFor(status), explanation(status), subject, failure, outcomeUnknown);
  }

  static SyncGuardException failure(
      Code code,
      String message,
      Subject subject,
      @Nullable Throwable cause,
      boolean outcomeUnknown) {
    return outcomeUnknown
        ? SyncGuardException.withUnknownOutcome(code, message, subject, cause)
        : new SyncGuardException(code, message, subject, cause);
  }

  private static Code codeFor(StatusCode.Code status) {
    return switch (status) {
      case UNAVAILABLE, ABORTED, CANCELLED -> Code.SERVICE_UNAVAILABLE;
      case DEADLINE_EXCEEDED -> Code.NETWORK_TIMEOUT;
      case PERMISSION_DENIED, UNAUTHENTICATED -> Code.AUTH_FAILED;
      case RESOURCE_EXHAUSTED -> Code.RATE_LIMITED;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND -> Code.INVALID_ARGUMENT;
      default -> Code.INTERNAL;
    };
  }

  private static String explanation(StatusCode.Code status) {
    String answered = "Firestore answered " + status + ": ";
    return switch (status) {
      case UNAVAILABLE, CANCELLED -> "Firestore cannot be reached, or its client is closed";
      case DEADLINE_EXCEEDED -> "Firestore did not answer in time";
      case ABORTED -> answered + "others changed the same documents again and again";
      case PERMISSION_DENIED ->
          answered + "the account must be allowed to read and write, as roles/datastore.user is";
      case UNAUTHENTICATED -> answered + "the credentials are missing or wrong";
      case RESOURCE_EXHAUSTED ->
          answered + "a quota is used up, or a document is written too often";
      case NOT_FOUND -> answered + "there is no such project or database";
      case FAILED_PRECONDITION ->
          answered
              + "the database must be in native mode, and the field lockId of the locks' collection"
              + " must not be exempt from indexing";
      case INVALID_ARGUMENT -> answered + "look at the project, the database and the collections";
      default -> answered + "something unexpected";
    };
  }

  static StatusCode.Code statusOf(Throwable failure) {
    ApiException api = find(failure, ApiException.class);
    if (api != null) {
      return api.getStatusCode().getCode();
    }
    Status status = grpcStatus(failure);
    if (status != null) {
      return StatusCode.Code.valueOf(status.getCode().name());
    }
    // What a client does that has been closed.
    return find(failure, IllegalStateException.class) != null
            || find(failure, RejectedExecutionException.class) != null
        ? StatusCode.Code.UNAVAILABLE
        : StatusCode.Code.INTERNAL;
  }

  private static boolean hasStatus(Throwable failure) {
    return find(failure, ApiException.class) != null || grpcStatus(failure) != null;
  }

  private static @Nullable Status grpcStatus(Throwable failure) {
    FirestoreException firestore = find(failure, FirestoreException.class);
    if (firestore != null && firestore.getStatus() != null) {
      return firestore.getStatus();
    }
    StatusRuntimeException grpc = find(failure, StatusRuntimeException.class);
    return grpc == null ? null : grpc.getStatus();
  }

  private static <E extends Throwable> @Nullable E find(Throwable failure, Class<E> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
    }
    return null;
  }
}
