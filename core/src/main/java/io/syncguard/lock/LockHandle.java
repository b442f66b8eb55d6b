package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.SyncGuardException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/**
 * A lock in hand. Ownership is the {@link #lockId}, never a thread: a handle may be passed on and
 * used by any thread, virtual ones included. Thread-safe.
 *
 * <p>A handle is stricter than the store: it regards the lock as lost when its lifetime, counted on
 * this machine's monotonic clock from before the request was sent, is over.
 */
public non-sealed interface LockHandle extends AcquireResult {

  /** Returns the user's key, raw, after NFC. */
  String key();

  /** Returns the proof of ownership, by which another process can extend or release the lock. */
  LockId lockId();

  /** Returns the fencing token; pass it to the resource, which should refuse a smaller one. */
  Fence fence();

  /** Returns when the lock expires, by the store's clock. */
  Instant expiresAt();

  /** Returns at once whether this process may still believe that it holds the lock. */
  boolean isHeld();

  /**
   * Registers a listener and returns at once. It runs once, in a thread of its own, when the store
   * says that the lock is gone, or shortly before the lifetime ends without an extension (a tenth
   * of the ttl, at most 500 ms). From then on the lock counts as lost, for good. It does not run
   * after a release.
   */
  LockHandle onLost(Runnable listener);

  /**
   * Has the lock extended in the background from now on, each time by the ttl it has, and returns
   * at once. It is not held beyond the given time since it was acquired; after that it is lost. A
   * later call sets another limit, longer or shorter.
   */
  LockHandle autoExtend(Duration maxHold);

  /** Blocks while the store sets the lock's expiry to now plus the ttl. */
  default ExtendResult extend(Duration ttl) {
    return extend(ttl, CancelSignal.never());
  }

  /** Blocks while the store sets the lock's expiry to now plus the ttl, unless cancelled. */
  ExtendResult extend(Duration ttl, CancelSignal signal);

  /**
   * Sets the lock's expiry to now plus the ttl; returns at once. What the caller does to the stage,
   * such as cancelling it, changes nothing about the extension.
   */
  default CompletionStage<ExtendResult> extendAsync(Duration ttl) {
    return extendAsync(ttl, CancelSignal.never());
  }

  /**
   * Sets the lock's expiry to now plus the ttl, unless cancelled by the signal; returns at once.
   * The stage then fails with ABORTED.
   */
  CompletionStage<ExtendResult> extendAsync(Duration ttl, CancelSignal signal);

  /**
   * Blocks while the store releases the lock, trying again while the outcome is unknown, up to the
   * guard's dispose timeout. Neither an interrupt nor a cancellation stops it.
   *
   * @throws SyncGuardException if the store could not be asked; the lock then lives until it
   *     expires, unless a further attempt in the background succeeds
   */
  ReleaseResult release();

  /** Releases the lock as {@link #release} does; returns at once. */
  CompletionStage<ReleaseResult> releaseAsync();

  /**
   * Blocks while the lock is released, as {@link #release} does. Never throws: a failure goes to
   * the {@link ReleaseErrorHandler} of the {@link LockOptions} that it was acquired with, or else
   * to the guard's. Later calls do nothing.
   */
  @Override
  void close();
}
