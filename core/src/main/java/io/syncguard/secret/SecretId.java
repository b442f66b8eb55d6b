package io.syncguard.secret;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.BearerHash;
import io.syncguard.internal.RandomIds;

/**
 * What a secret is found by: 128 random bits in base64url. A client that has it can view the
 * secret, so {@code toString} shows only its hash.
 */
public final class SecretId {

  private final String value;

  private SecretId(String value) {
    this.value = value;
  }

  /** Returns a new id from a cryptographically strong source. */
  public static SecretId random() {
    return new SecretId(RandomIds.next());
  }

  /**
   * Returns the id that has this text.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is not 22 characters of base64url
   */
  public static SecretId of(String value) {
    if (!RandomIds.isValid(value)) {
      throw SyncGuardException.invalidArgument("A secret's id is " + RandomIds.FORM);
    }
    return new SecretId(value);
  }

  /** Returns the raw id, for passing it to those who may view the secret. Do not log it. */
  public String value() {
    return value;
  }

  /**
   * Returns what stands for this id in messages, logs and events: the first 96 bits of its SHA-256,
   * in hexadecimal.
   */
  public String hash() {
    return BearerHash.of(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SecretId that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "SecretId[" + hash() + "]";
  }
}
