package io.syncguard.lock;

import java.nio.charset.StandardCharsets;
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

  static final String BASE64URL =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final RandomIds[] SOURCES =
      Stream.generate(RandomIds::new)
          .limit((long) Runtime.getRuntime().availableProcessors() * PER_PROCESSOR)
          .toArray(RandomIds[]::new);

  private final SecureRandom random = newGenerator();
  private final byte[] buffer = new byte[ID_BYTES * BUFFERED_IDS];
  private int used = buffer.length;

  private RandomIds() {}

  /** Returns an id with this in the four bits of its last character that are not random. */
  static String next(int mark) {
    return SOURCES[(int) (Thread.currentThread().getId() % SOURCES.length)].take(mark);
  }

  private String take(int mark) {
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
    byte[] text = ENCODER.encode(id);
    int last = text.length - 1;
    text[last] = (byte) BASE64URL.charAt(BASE64URL.indexOf(text[last]) | mark);
    return new String(text, StandardCharsets.ISO_8859_1);
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
