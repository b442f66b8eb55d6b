package io.syncguard.internal;

import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The ids of locks, permits and secrets as text: 128 random bits in base64url. Each is drawn from
 * the system when it is needed: ids that were drawn ahead would repeat themselves in two processes
 * that were restored from the same snapshot.
 */
public final class RandomIds {

  /** What the text of an id looks like, for messages. */
  public static final String FORM = "22 characters of A-Z, a-z, 0-9, - and _";

  private static final int BYTES = 16;
  private static final int LENGTH = 22;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private RandomIds() {}

  /** Returns a new id. */
  public static String next() {
    return next(SystemRandom.INSTANCE);
  }

  static String next(SecureRandom random) {
    byte[] id = new byte[BYTES];
    random.nextBytes(id);
    return ENCODER.encodeToString(id);
  }

  /** Returns whether the text has the form of an id: exactly 22 characters of base64url. */
  public static boolean isValid(@Nullable String text) {
    if (text == null || text.length() != LENGTH) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      if (!isBase64Url(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBase64Url(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }
}
