package io.syncguard.lock;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.BearerHash;
import io.syncguard.internal.Releases;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is told when closing a handle could not release its lock, or a permit its slot, within the
 * guard's dispose timeout. Where the store may answer later, the release goes on in the background;
 * if that does not succeed either, the lock lives until it expires, and the slot is free once its
 * heartbeats have been missed. An exception from the handler is logged and goes nowhere.
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
          + KeyHash.label(key)
          + ", lockIdHash="
          + (source == Source.PERMIT ? BearerHash.of(lockId.value()) : lockId.hash())
          + ", source="
          + source
          + "]";
    }
  }

  /**
   * Is called in the thread that closed the handle; after an asynchronous call, in one of those
   * that run continuations.
   */
  void onReleaseError(SyncGuardException error, Failure failure);

  /** Returns the default handler: it logs a warning without raw identifiers. */
  static ReleaseErrorHandler logging() {
    Logger log = LoggerFactory.getLogger(Locks.class);
    return (error, failure) ->
        log.warn(
            Releases.isWorthRepeating(error)
                ? "A lock or permit is not released yet; it is tried again in the background until"
                    + " it expires or the guard is closed: {} ({})"
                : "A lock or permit could not be released and stays until it expires: {} ({})",
            failure,
            error.code(),
            error);
  }
}
