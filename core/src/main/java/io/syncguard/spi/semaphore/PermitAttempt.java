package io.syncguard.spi.semaphore;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** How one attempt to get a slot ended. */
public sealed interface PermitAttempt {

  /**
   * The permit holds a slot.
   *
   * @param slot how many slots were taken when it got its own, its own included; from 1
   * @param expiresAt when its time is over, by the clock that decides
   * @param age how long before this attempt the store may have given it the slot
   * @param grant what it rests on for now; empty if the store has confirmed it
   */
  record Held(int slot, Instant expiresAt, Duration age, Optional<Grant> grant)
      implements PermitAttempt {

    /** The store gave the slot in answer to this attempt. */
    public Held(int slot, Instant expiresAt) {
      this(slot, expiresAt, Duration.ZERO);
    }

    /** The store gave the slot before this attempt. */
    public Held(int slot, Instant expiresAt, Duration age) {
      this(slot, expiresAt, age, Optional.empty());
    }
  }

  /**
   * A slot that the store keeps for a permit, and that is confirmed unless it is released first.
   *
   * @param keptFor how long it is surely kept, counted from before the confirmation is asked for:
   *     from as long before this attempt as the slot's age says
   * @param confirmed whether the store has confirmed; a failure leaves that open, and after a
   *     release it may never be known
   */
  record Grant(Duration keptFor, CompletionStage<Boolean> confirmed) {}

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
