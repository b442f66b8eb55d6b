package io.syncguard.memory;

import io.syncguard.spi.PermitId;
import java.time.Instant;

/**
 * A permit that waits for a slot, was granted one, or holds it. Belongs to its {@link
 * SemaphoreState}.
 */
final class Claim {

  enum State {
    WAITING,
    GRANTED,
    HELD
  }

  final PermitId id;
  final long ticket;
  final long sinceMs;

  /** Of those with the same deadline the smaller ticket is first; see {@link SemaphoreState}. */
  long deadlineMs;

  State state = State.WAITING;
  long expiresAtMs = Long.MAX_VALUE;
  int slot;

  Claim(PermitId id, long ticket, long sinceMs) {
    this.id = id;
    this.ticket = ticket;
    this.sinceMs = sinceMs;
  }

  boolean takesSlot() {
    return state != State.WAITING;
  }

  Instant expiresAt() {
    return Instant.ofEpochMilli(expiresAtMs);
  }
}
