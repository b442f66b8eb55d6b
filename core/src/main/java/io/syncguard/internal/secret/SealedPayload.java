package io.syncguard.internal.secret;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.SystemRandom;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a sealed secret is in the store: {@code {"version":2,"iv":"...","ciphertext":"..."}}, both
 * base64url without padding; AES-256-GCM under a key of this secret's own, the tag of 128 bits at
 * the end of the ciphertext. The version and the id are associated data, so that a text that was
 * copied to another id does not open there.
 */
public final class SealedPayload {

  private static final String VERSION = "2";

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Pattern FORMAT =
      Pattern.compile(
          "\\{\"version\":(\\d{1,9}),\"iv\":\"([\\w-]{1,100})\",\"ciphertext\":\"([\\w-]++)\"}");

  private final SecretId id;
  private final byte[] iv;
  private final byte[] ciphertext;

  private SealedPayload(SecretId id, byte[] iv, byte[] ciphertext) {
    this.id = id;
    this.iv = iv;
    this.ciphertext = ciphertext;
  }

  static SealedPayload seal(byte[] payload, SecretId id, SealingKey key) {
    byte[] iv = new byte[IV_BYTES];
    SystemRandom.INSTANCE.nextBytes(iv);
    try {
      return new SealedPayload(id, iv, cipher(Cipher.ENCRYPT_MODE, id, key, iv).doFinal(payload));
    } catch (GeneralSecurityException e) {
      throw notAvailable(e);
    }
  }

  /** Returns what was sealed for this id, if the text has the form of it. */
  static SealedPayload parse(byte[] text, SecretId id) {
    Matcher format = FORMAT.matcher(new String(text, UTF_8));
    if (!format.matches()) {
      throw SyncGuardException.invalidArgument("This is not the text of a sealed secret");
    }
    if (!format.group(1).equals(VERSION)) {
      throw SyncGuardException.invalidArgument(
          "This secret was sealed in version "
              + format.group(1)
              + " of the format; this client knows version "
              + VERSION);
    }
    byte[] iv = decoded(format.group(2));
    byte[] ciphertext = decoded(format.group(3));
    if (iv.length != IV_BYTES || ciphertext.length < TAG_BITS / Byte.SIZE) {
      throw damaged();
    }
    return new SealedPayload(id, iv, ciphertext);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  private static SyncGuardException damaged() {
    return SyncGuardException.invalidArgument(
        "This sealed secret is damaged: its IV or its ciphertext is not complete");
  }

  /** Returns how many bytes were sealed. */
  int length() {
    return ciphertext.length - TAG_BITS / Byte.SIZE;
  }

  byte[] text() {
    return ("{\"version\":"
            + VERSION
            + ",\"iv\":\""
            + ENCODER.encodeToString(iv)
            + "\",\"ciphertext\":\""
            + ENCODER.encodeToString(ciphertext)
            + "\"}")
        .getBytes(US_ASCII);
  }

  /** Returns what was sealed; INTERNAL if it was not sealed with this key for this id. */
  byte[] open(SealingKey key) {
    try {
      return cipher(Cipher.DECRYPT_MODE, id, key, iv).doFinal(ciphertext);
    } catch (AEADBadTagException e) {
      throw new SyncGuardException(
          Code.INTERNAL,
          "Secret "
              + id.hash()
              + " is not what was sealed under its id: it was altered in the store, or copied there"
              + " from another id; the view was counted",
          Subject.ofSecret(id.value()),
          e);
    } catch (GeneralSecurityException e) {
      throw notAvailable(e);
    }
  }

  private static Cipher cipher(int mode, SecretId id, SealingKey key, byte[] iv)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    SecretKeySpec aes = new SecretKeySpec(derive(key.bytes(), id, "seal"), "AES");
    cipher.init(mode, aes, new GCMParameterSpec(TAG_BITS, iv));
    cipher.updateAAD(label(id.value()));
    return cipher;
  }

  /** Returns what a view of the secret of this id has to present, for the bytes of its key. */
  public static byte[] proof(byte[] key, SecretId id) {
    return derive(key, id, "proof");
  }

  private static byte[] derive(byte[] key, SecretId id, String purpose) {
    return Hkdf.derive(key, id.value().getBytes(US_ASCII), label(purpose));
  }

  /** Returns what says of which format and version of it something is. */
  private static byte[] label(String of) {
    return ("syncguard:secret:" + VERSION + ":" + of).getBytes(US_ASCII);
  }

  private static SyncGuardException notAvailable(GeneralSecurityException cause) {
    return new SyncGuardException(
        Code.INTERNAL, "This Java platform does not do " + CIPHER, Subject.NONE, cause);
  }
}
