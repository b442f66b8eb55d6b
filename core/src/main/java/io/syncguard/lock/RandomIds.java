package io.syncguard.lock;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * Makes random ids. The JDK's default generators share one lock; here there are a few generators,
 * each with a buffer of its own, and a thread keeps to one of them, so that threads hardly ever
 * meet.
 */
final class RandomIds {

  private static final int ID_BYTES = 16;
  private static final int BUFFERED_IDS = 256;
  private static final int PER_PROCESSOR = 8;

  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
  private static final RandomIds[] SOURCES =
      Stream.generate(RandomIds::new)
          .limit((long) Runtime.getRuntime().availableProcessors() * PER_PROCESSOR)
          .toArray(RandomIds[]::new);

  private final SecureRandom random = newGenerator();
  private final byte[] buffer = new byte[ID_BYTES * BUFFERED_IDS];
  private int used = buffer.length;

  private RandomIds() {}

  static String next() {
    return SOURCES[(int) (Thread.currentThread().getId() % SOURCES.length)].take();
  }

  private String take() {
    byte[] id;
    synchronized (this) {
      if (used == buffer.length) {
        random.nextBytes(buffer);
        used = 0;
      }
      id = Arrays.copyOfRange(buffer, used, used + ID_BYTES);
      Arrays.fill(buffer, used, used + ID_BYTES, (byte) 0);
      used += ID_BYTES;
    }
    return BASE64URL.encodeToString(id);
  }

  /**
   * A DRBG has no lock in common with other instances; where policy forbids it, the default will
   * do.
   */
  private static SecureRandom newGenerator() {
    try {
      return SecureRandom.getInstance("DRBG");
    } catch (NoSuchAlgorithmException e) {
      return new SecureRandom();
    }
  }
}
