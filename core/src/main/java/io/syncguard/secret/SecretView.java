package io.syncguard.secret;

/** A view of a secret, which has been counted. {@code toString} does not reveal it. */
public final class SecretView {

  private final byte[] value;
  private final int remaining;

  /** For stores: a view of this value, which is the caller's alone, with so many views left. */
  public SecretView(byte[] value, int remaining) {
    this.value = value;
    this.remaining = remaining;
  }

  /**
   * Returns what was put, byte for byte; the caller's to keep, and to overwrite. Of a sealed secret
   * it is what was sealed, or if it was viewed with a {@link ViewProof}, the sealed text.
   */
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

  @Override
  public String toString() {
    return "SecretView[" + value.length + " bytes, remaining=" + remaining + "]";
  }
}
