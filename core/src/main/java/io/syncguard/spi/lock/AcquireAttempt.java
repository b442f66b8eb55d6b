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
   * Another client holds it.
   *
   * @param remaining how long until it can be taken, unless its holder releases or extends it
   */
  record Held(Duration remaining) implements AcquireAttempt {}
}
