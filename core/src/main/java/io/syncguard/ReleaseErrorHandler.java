package io.syncguard;

import io.syncguard.internal.hold.Releases;
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

  /** Which way of letting go failed. */
  enum Source {
    /** A handle or a permit was closed. */
    CLOSE,
    /** A helper, such as {@link io.syncguard.lock.Locks#run}, was done with its lock. */
    HELPER
  }

  /**
   * What could not be released; {@code toString} shows hashes only.
   *
   * @param subject the lock with its key and id, or the permit with its semaphore's name and its id
   * @param source what tried to release it
   */
  record Failure(Subject subject, Source source) {}

  /**
   * Is called in the thread that closed the handle; after an asynchronous call, in one of those
   * that run continuations.
   */
  void onReleaseError(SyncGuardException error, Failure failure);

  /** Returns the default handler: it logs a warning without raw identifiers. */
  static ReleaseErrorHandler logging() {
    Logger log = LoggerFactory.getLogger(SyncGuard.class);
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
