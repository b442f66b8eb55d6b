package io.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.ReleaseErrorHandler.Source;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import org.junit.jupiter.api.Test;

class ReleaseErrorHandlerTest {

  private static String logged(Code code) {
    Subject lock = Subject.ofLock("order:42", LockId.random().value());
    ReleaseErrorHandler.Failure failure = new ReleaseErrorHandler.Failure(lock, Source.CLOSE);
    try (CapturedLog log = CapturedLog.open()) {
      ReleaseErrorHandler.logging()
          .onReleaseError(new SyncGuardException(code, "Refused by the test"), failure);
      return log.text();
    }
  }

  @Test
  void whatGoesOnInTheBackgroundIsNotSaidToStayUntilItExpires() {
    assertThat(logged(Code.SERVICE_UNAVAILABLE))
        .contains("not released yet", "in the background")
        .doesNotContain("stays until it expires", "order:42");
  }

  @Test
  void whatIsNotTriedAgainIsSaidToStayUntilItExpires() {
    assertThat(logged(Code.AUTH_FAILED))
        .contains("stays until it expires")
        .doesNotContain("order:42");
  }
}
