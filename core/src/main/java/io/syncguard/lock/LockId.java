package io.syncguard.lock;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.RandomIds;
import org.jspecify.annotations.Nullable;

/**
 * The proof of holding a lock: 128 random bits in base64url. A client that has it can release or
 * extend the lock, so {@code toString} shows only its hash.
 */
public final class LockId {

  private final String value;

  private LockId(String value) {
    this.value = value;
  }

  /** Returns a new id from a cryptographically strong source. */
  public static LockId random() {
    return new LockId(RandomIds.next());
  }

  /**
   * Returns the id that has this text.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is not {@link #isValid valid}
   */
  public static LockId of(String value) {
    if (!isValid(value)) {
      throw SyncGuardException.invalidArgument("A lockId is " + RandomIds.FORM);
    }
    return new LockId(value);
  }

  /** Returns whether the text has the form of a lockId: exactly 22 characters of base64url. */
  public static boolean isValid(@Nullable String value) {
    return RandomIds.isValid(value);
  }

  /** Returns the raw id, for storing it or for passing it to another process. Do not log it. */
  public String value() {
    return value;
  }

  /** Returns what stands for this id in messages, logs and events. */
  public String hash() {
    return KeyHash.of(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LockId that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "LockId[" + hash() + "]";
  }
}
