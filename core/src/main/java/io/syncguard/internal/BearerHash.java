package io.syncguard.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The hash by which ids appear in messages, logs and events when the id alone opens or frees
 * something: ids of secrets and of permits. Unlike {@link io.syncguard.KeyHash} it is
 * cryptographic, so that a log does not help to guess the id.
 */
public final class BearerHash {

  private static final int BYTES = 96 / Byte.SIZE;

  private BearerHash() {}

  /** Returns the first 96 bits of the SHA-256 of the id, as 24 lowercase hexadecimal digits. */
  public static String of(String id) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
