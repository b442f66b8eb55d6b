package io.syncguard.lock;

import io.syncguard.SyncGuardException;

/**
 * A fencing token. Each acquisition of a key gets a greater one than all before it; a resource that
 * remembers the greatest it has seen can turn away a holder that is late.
 *
 * <p>Its text is 15 digits, padded with zeros, so that texts compare as the tokens do, in every
 * language and in every database.
 */
public final class Fence implements Comparable<Fence> {

  /** The greatest fence a store hands out; beyond it an acquisition fails. */
  public static final long MAX = 900_000_000_000_000L;

  /** The fence above which each acquisition logs a warning. */
  public static final long WARN = 90_000_000_000_000L;

  private static final int DIGITS = 15;
  private static final long GREATEST = 999_999_999_999_999L;

  private final long value;

  private Fence(long value) {
    this.value = value;
  }

  /**
   * Returns the fence with this number.
   *
   * @throws SyncGuardException with code INTERNAL if it does not fit into 15 digits
   */
  public static Fence of(long value) {
    if (value < 0 || value > GREATEST) {
      throw new SyncGuardException(
          SyncGuardException.Code.INTERNAL, "A fence has at most 15 digits, this one is " + value);
    }
    return new Fence(value);
  }

  /**
   * Returns the fence with this text.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if it is not exactly 15 digits
   */
  public static Fence parse(String text) {
    if (text.length() != DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw SyncGuardException.invalidArgument("A fence is exactly 15 decimal digits");
    }
    return new Fence(Long.parseLong(text));
  }

  /** Returns the number, for a resource that keeps it in a numeric column. */
  public long toLong() {
    return value;
  }

  /** Returns whether this one was handed out after the other, for the same key. */
  public boolean isNewerThan(Fence other) {
    return value > other.value;
  }

  @Override
  public int compareTo(Fence other) {
    return Long.compare(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fence that && value == that.value;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(value);
  }

  /** Returns the 15 digits. */
  @Override
  public String toString() {
    char[] digits = new char[DIGITS];
    long rest = value;
    for (int i = DIGITS - 1; i >= 0; i--) {
      digits[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return new String(digits);
  }
}
