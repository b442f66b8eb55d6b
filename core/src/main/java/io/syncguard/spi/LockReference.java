package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.LockId;
import org.jspecify.annotations.Nullable;

/**
 * Which lock to release or to extend. The id decides; the key, where it is known, only saves the
 * store a look into its index.
 *
 * @param lockId the lock's id
 * @param key the lock's key, or null if the caller has only the id
 */
public record LockReference(LockId lockId, @Nullable ResourceKey key) {

  /** Returns what an exception about this lock carries. */
  public SyncGuardException.Context context() {
    return new SyncGuardException.Context(key == null ? null : key.value(), lockId.value());
  }
}
