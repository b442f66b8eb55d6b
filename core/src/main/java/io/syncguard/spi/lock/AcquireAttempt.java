package io.syncguard.spi.lock;

import io.syncguard.lock.Fence;
import java.time.Duration;
import java.time.Instant;

/** How one attempt to take a lock ended. */
public sealed interface AcquireAttempt {

  /**
   * The lock is the caller's.
   *
   * @param fence greater than the fence of every earlier acquisition of the key
   * @param expiresAt when the lock expires, by the clock that decides
   */
  record Granted(Fence fence, Instant expiresAt) implements AcquireAttempt {}

  /**
   * Another client holds it, and the caller has no place in the queue.
   *
   * @param remaining how long until it can be taken, unless its holder releases or extends it
   */
  record Held(Duration remaining) implements AcquireAttempt {}

  /**
   * Another client holds it, or comes before, and the caller has a place in the queue.
   *
   * @param ticket its place: of two in the queue of one key the smaller ticket is first, and no two
   *     are equal. A ticket other than before means that the earlier place was lost.
   * @param remaining how long until the holder's lock ends, unless it is released or extended; zero
   *     if there is none
   */
  record Queued(long ticket, Duration remaining) implements AcquireAttempt {}
}
