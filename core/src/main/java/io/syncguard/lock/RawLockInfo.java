package io.syncguard.lock;

import io.syncguard.KeyHash;
import java.time.Instant;

/**
 * A live lock with its raw identifiers, for debugging. A client that has the lockId can release the
 * lock; {@code toString} shows hashes only.
 *
 * @param key the user's key, after NFC
 * @param lockId the proof of ownership
 * @param expiresAt when it expires, by the clock that decides
 * @param acquiredAt when it was acquired, by the same clock
 * @param fence its fencing token
 */
public record RawLockInfo(
    String key, LockId lockId, Instant expiresAt, Instant acquiredAt, Fence fence) {

  /** Returns the same without the raw identifiers. */
  public LockInfo sanitized() {
    return new LockInfo(KeyHash.of(key), lockId.hash(), expiresAt, acquiredAt, fence);
  }

  @Override
  public String toString() {
    return "Raw" + sanitized();
  }
}
