package io.syncguard.secret;

/**
 * A secret was to be viewed with a key that is not its own, or a sealed one without a key. The
 * store revealed nothing and counted no view: it can be viewed with the right key.
 */
public final class WrongKeyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private WrongKeyException(String message) {
    super(message);
  }

  /** Returns what a view with another key fails with. */
  public static WrongKeyException of(SecretId id) {
    return new WrongKeyException(
        "The key is not the one that secret "
            + id.hash()
            + " was sealed with, or it was put without a key; no view was counted");
  }

  /** Returns what a view without a key fails with. */
  public static WrongKeyException missing(SecretId id) {
    return new WrongKeyException(
        "Secret " + id.hash() + " is sealed: view it with its key; no view was counted");
  }
}
