package io.syncguard;

import io.syncguard.internal.BearerHash;
import org.jspecify.annotations.Nullable;

/**
 * What an operation, a failure or an event is about, with raw identifiers; {@code toString} shows
 * their hashes only.
 *
 * @param primitive which primitive, or null if it is about none in particular
 * @param name the lock's key, the counter's key, or the name of a semaphore or a rate limiter;
 *     after NFC
 * @param id the id of a lock, a permit or a secret
 */
public record Subject(@Nullable Primitive primitive, @Nullable String name, @Nullable String id) {

  /** About nothing in particular. */
  public static final Subject NONE = new Subject(null, null, null);

  /** A lock, by its key, its id, or both. */
  public static Subject ofLock(@Nullable String key, @Nullable String lockId) {
    return new Subject(Primitive.LOCK, key, lockId);
  }

  /** A permit of the semaphore of that name, or the semaphore itself. */
  public static Subject ofSemaphore(@Nullable String name, @Nullable String permitId) {
    return new Subject(Primitive.SEMAPHORE, name, permitId);
  }

  /** A secret. */
  public static Subject ofSecret(@Nullable String secretId) {
    return new Subject(Primitive.SECRET, null, secretId);
  }

  /** A counter. */
  public static Subject ofCounter(@Nullable String key) {
    return new Subject(Primitive.COUNTER, key, null);
  }

  /** A rate limiter. */
  public static Subject ofRateLimiter(@Nullable String name) {
    return new Subject(Primitive.RATE_LIMITER, name, null);
  }

  /** Returns the {@link KeyHash} of the name, or null without one. */
  public @Nullable String nameHash() {
    return name == null ? null : KeyHash.of(name);
  }

  /**
   * Returns the hash of the id, or null without one: the {@link KeyHash} of a lock's, as clients in
   * every language have it, and otherwise the first 96 bits of its SHA-256.
   */
  public @Nullable String idHash() {
    if (id == null) {
      return null;
    }
    return primitive == Primitive.LOCK ? KeyHash.of(id) : BearerHash.of(id);
  }

  @Override
  public String toString() {
    return "Subject["
        + (primitive == null ? "none" : primitive.label())
        + (name == null ? "" : ", nameHash=" + KeyHash.label(name))
        + (id == null ? "" : ", idHash=" + idHash())
        + "]";
  }
}
