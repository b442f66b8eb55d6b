package io.syncguard.spi;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * A user's key that has been checked and brought to its canonical form: NFC, 1 to 512 bytes in
 * UTF-8, no NUL, no lone surrogate. A store never has to check a key again.
 */
public final class ResourceKey {

  /** The longest key, in bytes of UTF-8 after NFC. */
  public static final int MAX_BYTES = 512;

  private final String value;

  private ResourceKey(String value) {
    this.value = value;
  }

  /**
   * Returns the canonical form of the user's key.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is not a usable key
   */
  public static ResourceKey of(@Nullable String key) {
    if (key == null) {
      throw SyncGuardException.invalidArgument("A key must not be null");
    }
    if (key.isEmpty()) {
      throw SyncGuardException.invalidArgument("A key must not be empty");
    }
    if (isPlainAscii(key)) {
      return new ResourceKey(key);
    }
    if (key.indexOf('\0') >= 0) {
      throw SyncGuardException.invalidArgument("A key must not contain NUL");
    }
    String normalized = Normalizer.normalize(key, Normalizer.Form.NFC);
    if (hasLoneSurrogate(normalized)) {
      throw SyncGuardException.invalidArgument("A key must be valid Unicode: lone surrogate found");
    }
    int bytes = normalized.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw SyncGuardException.invalidArgument(
          "A key must not exceed "
              + MAX_BYTES
              + " bytes in UTF-8 after NFC; this one has "
              + bytes);
    }
    return new ResourceKey(normalized);
  }

  /**
   * Plain ASCII of at most the maximum length is canonical as it stands, and by far the usual case.
   */
  private static boolean isPlainAscii(String key) {
    if (key.length() > MAX_BYTES) {
      return false;
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c == 0 || c >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasLoneSurrogate(String text) {
    return text.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  /** Returns the canonical key. */
  public String value() {
    return value;
  }

  /** Returns what stands for this key in events. */
  public String hash() {
    return KeyHash.of(value);
  }

  /** Returns what stands for this key in messages and logs; see {@link KeyHash#label}. */
  public String label() {
    return KeyHash.label(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResourceKey that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "ResourceKey[" + label() + "]";
  }
}
