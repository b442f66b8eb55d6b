package io.syncguard.lock;

/** How a release ended. In every case the lock is not held under that id any more. */
public enum ReleaseResult {
  /** The lock was held and is now free. */
  RELEASED,
  /** The lock had expired before; another client may have held it meanwhile. */
  EXPIRED,
  /** No lock has this id: it was released before, expired long ago, or never was. */
  NOT_FOUND;

  /** Returns whether this very call freed the lock. */
  public boolean isReleased() {
    return this == RELEASED;
  }
}
