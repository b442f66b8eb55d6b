package io.syncguard.spi.semaphore;

/** What a store knows of a permit. */
public enum PermitState {
  /** It is in the queue. */
  WAITING,
  /** It has a slot, confirmed or not. */
  HOLDING,
  /** The store does not know it: it was given up, was too long without a heartbeat, or expired. */
  GONE
}
