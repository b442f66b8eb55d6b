package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.grpc.GrpcStatusCode;
import com.google.api.gax.rpc.ApiExceptionFactory;
import com.google.cloud.firestore.FirestoreException;
import io.grpc.Status;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirestoreFailuresTest {

  private static final Subject SUBJECT = Subject.ofLock("the key", "the lockId");

  private static Throwable fromTheApi(Status.Code code) {
    return new ExecutionException(
        ApiExceptionFactory.createException(
            code.toStatus().asRuntimeException(), GrpcStatusCode.of(code), false));
  }

  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE,SERVICE_UNAVAILABLE",
    "ABORTED,SERVICE_UNAVAILABLE",
    "CANCELLED,SERVICE_UNAVAILABLE",
    "DEADLINE_EXCEEDED,NETWORK_TIMEOUT",
    "PERMISSION_DENIED,AUTH_FAILED",
    "UNAUTHENTICATED,AUTH_FAILED",
    "RESOURCE_EXHAUSTED,RATE_LIMITED",
    "INVALID_ARGUMENT,INVALID_ARGUMENT",
    "NOT_FOUND,INVALID_ARGUMENT",
    "FAILED_PRECONDITION,INVALID_ARGUMENT",
    "INTERNAL,INTERNAL",
    "DATA_LOSS,INTERNAL"
  })
  void aStatusHasItsCodeWhoeverReportsIt(Status.Code status, Code code) {
    FirestoreException fromAQuery =
        FirestoreException.forServerRejection(status.toStatus(), "rejected");
    for (Throwable failure : new Throwable[] {fromTheApi(status), fromAQuery}) {
      SyncGuardException ours = FirestoreFailures.of(failure, SUBJECT, false);
      assertThat(ours.code()).isEqualTo(code);
      assertThat(ours.subject()).isEqualTo(SUBJECT);
      assertThat(ours.getMessage()).doesNotContain("the key", "the lockId");
      assertThat(ours.isOutcomeUnknown()).isFalse();
    }
    assertThat(FirestoreFailures.of(fromAQuery, SUBJECT, true).isOutcomeUnknown()).isTrue();
  }

  @Test
  void aClosedClientIsUnavailable() {
    assertThat(FirestoreFailures.of(new IllegalStateException("closed"), SUBJECT, false).code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(FirestoreFailures.of(new RejectedExecutionException(), SUBJECT, false).code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void whatWeFailWithOurselvesKeepsItsCode() {
    SyncGuardException damaged = new SyncGuardException(Code.INTERNAL, "damaged");
    SyncGuardException ours = FirestoreFailures.of(new ExecutionException(damaged), SUBJECT, true);
    assertThat(ours).hasMessage("damaged");
    assertThat(ours.code()).isEqualTo(Code.INTERNAL);
    assertThat(ours.isOutcomeUnknown()).isFalse();
  }

  @Test
  void aMistakeOfOursIsNoOutage() {
    assertThat(FirestoreFailures.isOutage(new NullPointerException())).isFalse();
    assertThat(FirestoreFailures.isOutage(fromTheApi(Status.Code.UNAVAILABLE))).isTrue();
    assertThat(FirestoreFailures.isOutage(fromTheApi(Status.Code.INTERNAL))).isTrue();
    assertThat(FirestoreFailures.isOutage(fromTheApi(Status.Code.PERMISSION_DENIED))).isFalse();
  }
}
