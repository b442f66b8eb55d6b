package io.syncguard.telemetry;

import io.syncguard.spi.ViewAttempt;
import io.syncguard.telemetry.SecretEvent.Reason;
import java.time.Instant;
import java.util.Optional;

/** What the result of each operation on a secret means for its event. */
final class SecretOutcomes {

  private SecretOutcomes() {}

  static void stored(Operation<Reason> operation, Optional<Instant> expiresAt) {
    if (expiresAt.isPresent()) {
      operation.succeeded();
    } else {
      operation.failed(Reason.EXISTS);
    }
  }

  static void viewed(Operation<Reason> operation, ViewAttempt attempt) {
    if (attempt instanceof ViewAttempt.WrongProof) {
      operation.failed(Reason.WRONG_KEY);
    } else {
      burned(operation, attempt instanceof ViewAttempt.Revealed);
    }
  }

  static void found(Operation<Reason> operation, Optional<?> secret) {
    burned(operation, secret.isPresent());
  }

  static void burned(Operation<Reason> operation, boolean found) {
    if (found) {
      operation.succeeded();
    } else {
      operation.failed(Reason.NOT_FOUND);
    }
  }
}
