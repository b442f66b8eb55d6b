package io.syncguard.internal;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;

/**
 * The operating system's own random numbers. A generator that only computes its next state would
 * repeat itself in two processes that were restored from the same snapshot, and the platform's
 * default is such a one on Windows, and with {@code java.security.egd}.
 */
public final class SystemRandom {

  private static final List<String> OF_THE_SYSTEM =
      List.of("NativePRNGNonBlocking", "Windows-PRNG");

  /** Thread-safe. */
  public static final SecureRandom INSTANCE = find();

  private SystemRandom() {}

  private static SecureRandom find() {
    for (String algorithm : OF_THE_SYSTEM) {
      try {
        return SecureRandom.getInstance(algorithm);
      } catch (NoSuchAlgorithmException e) {
        // Another platform's.
      }
    }
    return new SecureRandom();
  }
}
