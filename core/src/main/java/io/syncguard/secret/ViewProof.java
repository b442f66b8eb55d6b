package io.syncguard.secret;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.secret.ProofHash;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a view of a sealed secret has to present: 32 bytes that a client derives from the key and
 * the id. Neither the key nor the secret can be found from it. For servers between a store and a
 * client that keeps the key to itself; with the key at hand, {@link Secrets#view(SecretId,
 * SealingKey)} does it all. {@code toString} does not show it.
 */
public final class ViewProof {

  private static final int BYTES = 32;

  private final byte[] bytes;

  ViewProof(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the proof that a client derived, from its text.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is not 32 bytes in base64url
   */
  public static ViewProof of(@Nullable String text) {
    if (text == null) {
      throw SyncGuardException.invalidArgument("A view's proof must not be null");
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (bytes.length == BYTES) {
        return new ViewProof(bytes);
      }
    } catch (IllegalArgumentException e) {
      // The message is the same, and must not repeat what was given.
    }
    throw SyncGuardException.invalidArgument("A view's proof is 32 bytes in base64url");
  }

  /** Returns what the store keeps of it, and compares with what a view presents. */
  public ProofHash hash() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new ProofHash(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "ViewProof[hidden]";
  }
}
