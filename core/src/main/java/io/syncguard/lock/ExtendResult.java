package io.syncguard.lock;

import java.time.Instant;

/** How an extension ended. */
public sealed interface ExtendResult {

  /** Returns whether the lock is still held, with a new expiry. */
  default boolean isExtended() {
    return this instanceof Extended;
  }

  /**
   * The lock lives until its new expiry.
   *
   * @param expiresAt when it expires, by the clock that decides
   */
  record Extended(Instant expiresAt) implements ExtendResult {}

  /** The lock is lost; an extension never brings one back. */
  enum NotExtended implements ExtendResult {
    /** It had expired before. */
    EXPIRED,
    /** No lock has this id: it was released, expired long ago, or never was. */
    NOT_FOUND
  }
}
