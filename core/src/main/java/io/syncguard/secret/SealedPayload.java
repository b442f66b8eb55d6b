package io.syncguard.secret;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.SyncGuardException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * What a sealed secret is in the store: {@code {"version":1,"iv":"...","ciphertext":"..."}}, both
 * base64url without padding; AES-256-GCM, the tag of 128 bits at the end of the ciphertext.
 */
final class SealedPayload {

  private static final String VERSION = "1";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Pattern FORMAT =
      Pattern.compile(
          "\\{\"version\":(\\d{1,9}),\"iv\":\"([\\w-]{1,100})\",\"ciphertext\":\"([\\w-]++)\"}");

  private final byte[] iv;
  private final byte[] ciphertext;

  private SealedPayload(byte[] iv, byte[] ciphertext) {
    this.iv = iv;
    this.ciphertext = ciphertext;
  }

  static SealedPayload seal(byte[] payload, SealingKey key) {
    byte[] iv = new byte[IV_BYTES];
    RANDOM.nextBytes(iv);
    try {
      return new SealedPayload(iv, cipher(Cipher.ENCRYPT_MODE, key, iv).doFinal(payload));
    } catch (GeneralSecurityException e) {
      throw notAvailable(e);
    }
  }

  static SealedPayload parse(byte[] text) {
    Matcher format = FORMAT.matcher(new String(text, UTF_8));
    if (!format.matches()) {
      throw SyncGuardException.invalidArgument("This secret is not a sealed one: use its value");
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
    return new SealedPayload(iv, ciphertext);
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

  byte[] open(SealingKey key) {
    try {
      return cipher(Cipher.DECRYPT_MODE, key, iv).doFinal(ciphertext);
    } catch (AEADBadTagException e) {
      throw new WrongKeyException(e);
    } catch (GeneralSecurityException e) {
      throw notAvailable(e);
    }
  }

  private static Cipher cipher(int mode, SealingKey key, byte[] iv)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key.aes(), new GCMParameterSpec(TAG_BITS, iv));
    return cipher;
  }

  private static SyncGuardException notAvailable(GeneralSecurityException cause) {
    return new SyncGuardException(
        SyncGuardException.Code.INTERNAL,
        "This Java platform does not do " + CIPHER,
        SyncGuardException.Context.NONE,
        cause);
  }
}
