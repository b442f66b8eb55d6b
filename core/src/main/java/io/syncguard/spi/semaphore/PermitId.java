package io.syncguard.spi.semaphore;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.BearerHash;
import io.syncguard.internal.RandomIds;

/**
 * The id under which a permit waits for a slot and holds it: 128 random bits in base64url. Only the
 * backend that it was first given to need know it. A client that has it can give the slot up, so
 * {@code toString} shows only its hash.
 */
public final class PermitId {

  private final String value;

  private PermitId(String value) {
    this.value = value;
  }

  /** Returns a new id from a cryptographically strong source. */
  public static PermitId random() {
    return new PermitId(RandomIds.next());
  }

  /**
   * Returns the id that has this text.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is not 22 characters of base64url
   */
  public static PermitId of(String value) {
    if (!RandomIds.isValid(value)) {
      throw SyncGuardException.invalidArgument("A permit's id is " + RandomIds.FORM);
    }
    return new PermitId(value);
  }

  /** Returns the raw id, for storing it. Do not log it. */
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
    return other instanceof PermitId that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "PermitId[" + hash() + "]";
  }
}
