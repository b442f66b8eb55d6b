package io.syncguard.secret;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.SystemRandom;
import java.util.Base64;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of 256 random bits that secrets are sealed with. It never reaches a store; pass it on by
 * another way than the secret's id. A password is no such key: wrong keys are not counted, so that
 * whoever has the id could try them all. {@code toString} does not show it.
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
  public static SealingKey of(byte[] bytes) {
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
  public static SealingKey of(String text) {
    try {
      return of(Base64.getUrlDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw SyncGuardException.invalidArgument("A sealing key is 32 bytes in base64url");
    }
  }

  /** Returns the raw key in base64url, for passing it on. Do not log it. */
  public String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the key that the secret of this id alone is encrypted with. */
  SecretKey aes(SecretId id) {
    return new SecretKeySpec(derive(id, "seal"), "AES");
  }

  /** Returns what a view of the secret of this id presents. */
  ViewProof proof(SecretId id) {
    return new ViewProof(derive(id, "proof"));
  }

  private byte[] derive(SecretId id, String purpose) {
    return Hkdf.derive(bytes, id.value().getBytes(US_ASCII), label(purpose));
  }

  /** Returns what says of which format and version of it something is. */
  static byte[] label(String of) {
    return ("syncguard:secret:" + SealedPayload.VERSION + ":" + of).getBytes(US_ASCII);
  }

  @Override
  public String toString() {
    return "SealingKey[hidden]";
  }
}
