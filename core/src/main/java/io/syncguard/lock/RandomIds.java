package io.syncguard.lock;

import io.syncguard.internal.SystemRandom;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Makes random ids. Each is drawn from the system when it is needed: ids that were drawn ahead
 * would repeat themselves in two processes that were restored from the same snapshot.
 */
final class RandomIds {

  private static final int ID_BYTES = 16;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private RandomIds() {}

  static String next() {
    return next(SystemRandom.INSTANCE);
  }

  static String next(SecureRandom random) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return ENCODER.encodeToString(id);
  }
}
