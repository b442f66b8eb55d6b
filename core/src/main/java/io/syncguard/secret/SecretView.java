package io.syncguard.secret;

import io.syncguard.SyncGuardException;

/** A view of a secret, which has been counted. {@code toString} does not reveal it. */
public final class SecretView {

  private final byte[] value;
  private final int remaining;

  /** For stores: a view of this value, which nobody else may change, with so many views left. */
  public SecretView(byte[] value, int remaining) {
    this.value = value;
    this.remaining = remaining;
  }

  /** Returns what was put, byte for byte; the caller's to keep, and to overwrite. */
  public byte[] value() {
    return value;
  }

  /** Returns how many views are left. */
  public int remaining() {
    return remaining;
  }

  /** Returns whether this was the last view, after which nothing is left in the store. */
  public boolean burned() {
    return remaining == 0;
  }

  /**
   * Returns at once what was put with {@link Secrets#putSealed}. It asks no store, so it can be
   * tried with another key after a wrong one, and counts no further view.
   *
   * @throws WrongKeyException if the key is not the one that it was sealed with
   * @throws SyncGuardException with code INVALID_ARGUMENT if this is no sealed secret
   */
  public byte[] open(SealingKey key) {
    return SealedPayload.parse(value).open(key);
  }

  @Override
  public String toString() {
    return "SecretView[" + value.length + " bytes, remaining=" + remaining + "]";
  }
}
