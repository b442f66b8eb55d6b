package io.syncguard.spi.lock;

import io.syncguard.lock.LockId;

/**
 * Marks in ids, for stores that have to find a lock by its id: a number from 0 to 15 in the four
 * bits of the last character that 16 random bytes leave unused.
 */
public final class LockIdMarks {

  private static final int BITS = 0xF;
  private static final String BASE64URL =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private LockIdMarks() {}

  /** Returns a new random id with the mark. */
  public static LockId random(int mark) {
    String id = LockId.random().value();
    int last = id.length() - 1;
    char marked = BASE64URL.charAt(BASE64URL.indexOf(id.charAt(last)) | (mark & BITS));
    return LockId.of(id.substring(0, last) + marked);
  }

  /** Returns the mark that the id was made with. */
  public static int of(LockId lockId) {
    String id = lockId.value();
    return BASE64URL.indexOf(id.charAt(id.length() - 1)) & BITS;
  }
}
