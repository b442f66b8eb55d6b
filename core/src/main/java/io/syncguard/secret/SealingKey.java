package io.syncguard.secret;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.SystemRandom;
import io.syncguard.internal.secret.SealedPayload;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A key of 256 random bits that secrets are sealed with. It never reaches a store; pass it on by
 * another way than the secret's id. A password is no such key: wrong keys are not counted, so that
 * a client that has the id could try them all. {@code toString} does not show it.
 */
public final class SealingKey {

  private static final int BYTES = 32;

  private final byte[] bytes;

  private SealingKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a new key from a cryptographically strong source. */
  public static SealingKey random() {
    byte[] bytes = new byte[BYTES];
    SystemRandom.INSTANCE.nextBytes(bytes);
    return new SealingKey(bytes);
  }

  /**
   * Returns the key of these 32 bytes.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if they are fewer or more
   */
  public static SealingKey of(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw notNull();
    }
    if (bytes.length != BYTES) {
      throw SyncGuardException.invalidArgument(
          "A sealing key has " + BYTES + " bytes, not " + bytes.length);
    }
    return new SealingKey(bytes.clone());
  }

  /**
   * Returns the key that {@link #text} gave.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is not 32 bytes in base64url
   */
  public static SealingKey of(@Nullable String text) {
    if (text == null) {
      throw notNull();
    }
    try {
      return of(Base64.getUrlDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw SyncGuardException.invalidArgument("A sealing key is 32 bytes in base64url");
    }
  }

  private static SyncGuardException notNull() {
    return SyncGuardException.invalidArgument("A sealing key must not be null");
  }

  /** Returns the raw key in base64url, for passing it on. Do not log it. */
  public String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns a copy of the raw key's 32 bytes, for passing it on. Do not log it. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * Returns what a view of the secret of this id presents, for a server that is to view it without
   * the key.
   */
  public ViewProof proof(SecretId id) {
    return new ViewProof(SealedPayload.proof(bytes, id));
  }

  @Override
  public String toString() {
    return "SealingKey[hidden]";
  }
}
