package io.syncguard.spi.secret;

import io.syncguard.secret.SecretView;

/** How one attempt to view a secret ended. */
public sealed interface ViewAttempt {

  /**
   * A view was counted.
   *
   * @param view the payload as it was put, and the views left
   */
  record Revealed(SecretView view) implements ViewAttempt {}

  /** There is no such secret: it is used up, burned, expired, or never was. */
  record NotFound() implements ViewAttempt {}

  /** The view did not present the proof that the secret was put with. Nothing was counted. */
  record WrongProof() implements ViewAttempt {}
}
