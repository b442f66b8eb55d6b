package io.syncguard.telemetry;

/** Why an operation did not do what was asked, where the store could tell without asking again. */
public enum Reason {
  /** Another client holds the lock. */
  LOCKED("locked"),
  /** The lock had expired. */
  EXPIRED("expired"),
  /** There is no such thing: no lock or permit with this id, no secret, no window under way. */
  NOT_FOUND("not-found"),
  /** There is no slot yet; the permit is in the queue. */
  QUEUED("queued"),
  /** There is no slot, and the permit did not want to wait any longer. */
  BUSY("busy"),
  /** The semaphore's name is in use with another limit. */
  LIMIT_DIFFERS("limit-differs"),
  /** Not all of the permits whose heartbeat it was are known to the store any more. */
  LOST("lost"),
  /** There were as many as the counter or the rate limiter allows. */
  LIMITED("limited"),
  /** The secret is sealed with another key, or one of the two has no key. */
  WRONG_KEY("wrong-key"),
  /** There is a secret under the id that another one was to be stored under. */
  EXISTS("exists");

  private final String label;

  Reason(String label) {
    this.label = label;
  }

  /**
   * Returns the name for metrics and logs; for locks, that of SyncGuard clients in every language.
   */
  public String label() {
    return label;
  }
}
