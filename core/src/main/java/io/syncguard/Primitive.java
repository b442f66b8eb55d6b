package io.syncguard;

/** Which of the things that a {@link SyncGuard} offers. */
public enum Primitive {
  /** A lock with a fencing token. */
  LOCK("lock"),
  /** A fair semaphore. */
  SEMAPHORE("semaphore"),
  /** A secret that burns after a number of views. */
  SECRET("secret"),
  /** A counter with a limit. */
  COUNTER("counter"),
  /** A rate limiter. */
  RATE_LIMITER("rate-limiter");

  private final String label;

  Primitive(String label) {
    this.label = label;
  }

  /** Returns the name for metrics and logs. */
  public String label() {
    return label;
  }
}
