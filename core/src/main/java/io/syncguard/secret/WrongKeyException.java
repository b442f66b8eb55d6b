package io.syncguard.secret;

/**
 * A sealed secret was opened with a key that is not its own, or was altered in the store. No view
 * was counted for it: {@link SecretView#open} can be tried again with another key.
 */
public final class WrongKeyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  WrongKeyException(Throwable cause) {
    super(
        "The key is not the one that this secret was sealed with, or the secret was altered",
        cause);
  }
}
