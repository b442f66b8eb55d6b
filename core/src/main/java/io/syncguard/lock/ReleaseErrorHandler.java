package io.syncguard.lock;

import io.syncguard.SyncGuardException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is told when closing a handle could not release its lock, which then lives until it expires, or a
 * permit its slot, which is then free once its heartbeats have been missed. An exception from it is
 * logged and goes nowhere.
 */
@FunctionalInterface
public interface ReleaseErrorHandler {

  /** Which way of letting go of a lock failed. */
  enum Source {
    /** A handle was closed. */
    CLOSE,
    /** A helper, such as {@link Locks#run}, was done with its lock. */
    HELPER,
    /**
     * A permit of a semaphore was closed. The key is the semaphore's name, the lockId the permit's
     * id.
     */
    PERMIT
  }

  /**
   * What could not be released; {@code toString} shows hashes only.
   *
   * @param key the lock's key, raw
   * @param lockId the lock's id
   * @param source what tried to release it
   */
  record Failure(String key, LockId lockId, Source source) {
    @Override
    public String toString() {
      return "Failure[keyHash="
          + io.syncguard.KeyHash.of(key)
          + ", lockIdHash="
          + lockId.hash()
          + ", source="
          + source
          + "]";
    }
  }

  /** Is called in the thread that closed the handle, or in one of the store's; must not block. */
  void onReleaseError(SyncGuardException error, Failure failure);

  /** Returns the default handler: it logs a warning without raw identifiers. */
  static ReleaseErrorHandler logging() {
    Logger log = LoggerFactory.getLogger(Locks.class);
    return (error, failure) ->
        log.warn(
            "A lock or permit could not be released and stays until it expires: {} ({})",
            failure,
            error.code(),
            error);
  }
}
