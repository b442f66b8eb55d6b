package io.syncguard.telemetry;

import io.syncguard.telemetry.SecretEvent.Reason;
import java.time.Instant;
import java.util.Optional;

/** What the result of each operation on a secret means for its event. */
final class SecretOutcomes {

  private SecretOutcomes() {}

  static void stored(Operation<Reason> operation, Instant expiresAt) {
    operation.succeeded();
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
