package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;

/**
 * The names under which a store keeps its records, the same for SyncGuard clients in every
 * language.
 *
 * @param prefix the namespace, without a trailing colon; empty for none
 * @param limitBytes the longest name the store takes
 * @param reserveBytes how much of that the store needs for names derived from these
 */
public record StorageKeys(String prefix, int limitBytes, int reserveBytes) {

  private static final int DIGEST_BYTES = 16;
  private static final int MAX_BYTES_PER_CHAR = 3;

  /** Brings the prefix to its canonical form, once. */
  public StorageKeys {
    int end = prefix.length();
    while (end > 0 && prefix.charAt(end - 1) == ':') {
      end--;
    }
    prefix = Normalizer.normalize(prefix.substring(0, end), Normalizer.Form.NFC);
  }

  /**
   * Returns the name of a key's record: {@code prefix:key}, or a digest of that if it is too long.
   */
  public String of(String key) {
    return nameOf(Normalizer.normalize(key, Normalizer.Form.NFC));
  }

  /**
   * Returns the name of a key's fence counter. It is derived from the name of the record, so that
   * two keys never share a counter, shortened or not.
   */
  public String fenceOf(String key) {
    return nameOf("fence:" + of(key));
  }

  private String nameOf(String canonical) {
    String name = prefixed(canonical);
    if (fits(name)) {
      return name;
    }
    String truncated = prefixed(digest(name));
    if (fits(truncated)) {
      return truncated;
    }
    throw SyncGuardException.invalidArgument(
        "The prefix is too long: even a shortened key would exceed the "
            + (limitBytes - reserveBytes)
            + " bytes that are left for it");
  }

  private String prefixed(String name) {
    return prefix.isEmpty() ? name : prefix + ":" + name;
  }

  private boolean fits(String name) {
    int limit = limitBytes - reserveBytes;
    return name.length() * MAX_BYTES_PER_CHAR <= limit
        || name.getBytes(StandardCharsets.UTF_8).length <= limit;
  }

  private static String digest(String name) {
    try {
      byte[] sha256 =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(Arrays.copyOf(sha256, DIGEST_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
