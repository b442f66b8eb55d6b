package io.syncguard.spi.secret;

import io.syncguard.SyncGuardException;

/**
 * What a store keeps of a secret to check views by. A view is counted only if it presents the same;
 * the store compares, and needs to know nothing else.
 *
 * @param value the SHA-256 of what is derived from the secret's key, as 64 lowercase hexadecimal
 *     digits; or empty for a secret without a key
 */
public record ProofHash(String value) {

  private static final int DIGITS = 64;

  /** Of a secret that is not sealed, and of a view without a key. */
  public static final ProofHash NONE = new ProofHash("");

  /** Refuses what is neither empty nor 64 characters. */
  public ProofHash {
    if (!value.isEmpty() && value.length() != DIGITS) {
      throw SyncGuardException.invalidArgument("The hash of a proof has 64 digits");
    }
  }

  /** Returns whether there is no key. */
  public boolean isNone() {
    return value.isEmpty();
  }
}
