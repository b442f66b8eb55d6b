package io.syncguard.spi.lock;

/** What a store knows of a place in a lock's queue. */
public enum PlaceState {
  /** The waiter has its place, and has been granted nothing. */
  WAITING,
  /**
   * The waiter has no place: it was granted the lock, or its place was lost. It is to ask again.
   */
  GONE
}
