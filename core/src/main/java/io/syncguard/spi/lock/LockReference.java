package io.syncguard.spi.lock;

import io.syncguard.Subject;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Which lock to release or to extend. The id decides; the key, where it is known, only saves the
 * store a look into its index.
 *
 * @param lockId the lock's id
 * @param key the lock's key, or null if the caller has only the id
 */
public record LockReference(LockId lockId, @Nullable ResourceKey key) {

  /** Returns this lock as what something is about. */
  public Subject subject() {
    return Subject.ofLock(key == null ? null : key.value(), lockId.value());
  }
}
