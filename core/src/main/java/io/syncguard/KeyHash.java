package io.syncguard;

import java.text.Normalizer;

/**
 * The 96-bit hash by which keys and lock ids appear in messages, logs and events.
 *
 * <p>It is the same in every SyncGuard client, so that logs of services in different languages can
 * be matched. It is not cryptographic: use it to correlate, never to protect. A reader who can
 * guess a key can check the guess by its hash; ids of secrets and of permits have a hash of another
 * kind.
 */
public final class KeyHash {

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  /** For development: with {@code -Dsyncguard.rawKeys=true} messages and logs show keys as well. */
  private static final String RAW_KEYS = "syncguard.rawKeys";

  private KeyHash() {}

  /**
   * Returns what stands for a key in messages and logs: its hash, or the hash and the key itself if
   * the JVM was started with {@code -Dsyncguard.rawKeys=true}. Ids are never shown.
   */
  public static String label(String key) {
    return showsRawKeys() ? of(key) + " (" + key + ")" : of(key);
  }

  static boolean showsRawKeys() {
    return Boolean.getBoolean(RAW_KEYS);
  }

  /** Returns the 24 lowercase hexadecimal digits that stand for the identifier, after NFC. */
  public static String of(String identifier) {
    String normalized = Normalizer.normalize(identifier, Normalizer.Form.NFC);
    int h1 = 0;
    int h2 = 0;
    int h3 = 0;
    for (int i = 0; i < normalized.length(); i++) {
      char c = normalized.charAt(i);
      h1 = 31 * h1 + c;
      h2 = 127 * h2 + 3 * c;
      h3 = 2047 * h3 + 7 * c;
    }
    char[] digits = new char[24];
    putHex(h1, digits, 0);
    putHex(h2, digits, 8);
    putHex(h3, digits, 16);
    return new String(digits);
  }

  private static void putHex(int word, char[] digits, int offset) {
    for (int i = 0; i < 8; i++) {
      digits[offset + i] = HEX[(word >>> (28 - 4 * i)) & 0xF];
    }
  }
}
