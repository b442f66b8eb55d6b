package io.syncguard.spi.semaphore;

import java.time.Duration;
import java.time.Instant;

/** How one attempt to get a slot ended. */
public sealed interface PermitAttempt {

  /**
   * The permit holds a slot.
   *
   * @param slot how many slots were taken when it got its own, its own included; from 1
   * @param expiresAt when its time is over, by the clock that decides
   * @param age how long before this attempt the store may have given it the slot
   */
  record Held(int slot, Instant expiresAt, Duration age) implements PermitAttempt {

    /** The store gave the slot in answer to this attempt. */
    public Held(int slot, Instant expiresAt) {
      this(slot, expiresAt, Duration.ZERO);
    }
  }

  /**
   * The permit is in the queue.
   *
   * @param ticket its place: of two in the queue of one name the smaller ticket is first, and no
   *     two are equal. A ticket other than before means that the earlier place was lost.
   */
  record Waiting(long ticket) implements PermitAttempt {}

  /** There is no slot now, and the permit is not in the queue. */
  record Busy() implements PermitAttempt {}

  /**
   * The name is in use with another limit; nothing was changed for this permit.
   *
   * @param limit the one in use
   */
  record LimitDiffers(int limit) implements PermitAttempt {}
}
