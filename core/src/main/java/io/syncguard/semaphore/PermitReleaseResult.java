package io.syncguard.semaphore;

/** How giving up a permit ended. In every case it holds no slot and waits for none any more. */
public enum PermitReleaseResult {
  /** It had a slot, which is free now or already granted to the next in the queue. */
  RELEASED,
  /** It was still in the queue. Only a waiter sees this, never the holder of a {@link Permit}. */
  LEFT_QUEUE,
  /** It had neither: it was released before, or lost. */
  NOT_FOUND;

  /** Returns whether this very call freed a slot. */
  public boolean isReleased() {
    return this == RELEASED;
  }
}
