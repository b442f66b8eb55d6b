package io.syncguard.limit;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Continuations;
import io.syncguard.internal.Gate;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;

/** The rate limiters of a store. Thread-safe. */
public final class RateLimiters {

  private final LimitBackend backend;
  private final TimeSource time;
  private final Gate gate;
  private final Gate entrance;
  private final CancelSignal closing = CancelSignal.create();

  /** Makes the rate limiters of one store. Usually {@code SyncGuard.rateLimiter} gives one. */
  public RateLimiters(LimitBackend backend, GuardOptions options) {
    this.backend = backend;
    this.time = options.timeSource();
    Continuations continuations = new Continuations(options);
    this.gate = new Gate(continuations);
    this.entrance = new Gate(continuations);
  }

  /**
   * Returns the limiter at once, without asking the store.
   *
   * @param permits how many are allowed in the time, at most a million a second
   * @param burst how many are allowed at once after a pause; with 1 they are evenly apart
   * @throws SyncGuardException with code INVALID_ARGUMENT for a rate or a burst that cannot be, or
   *     a name that is empty, longer than 512 bytes or not valid Unicode
   */
  public RateLimiter get(String name, long permits, Duration per, long burst) {
    return new RateLimiter(
        this, new Rate(ResourceKey.of(name), permits, per, burst), CancelSignal.never());
  }

  LimitBackend backend() {
    return backend;
  }

  TimeSource time() {
    return time;
  }

  Gate gate() {
    return gate;
  }

  /** Returns what lets callers wait; it is closed before the gate. */
  Gate entrance() {
    return entrance;
  }

  /** Is cancelled when nobody may wait any more. */
  CancelSignal closing() {
    return closing;
  }

  /** Ends all waiting, but still answers at once; for the guard that made these limiters. */
  public void endWaits() {
    entrance.close();
    closing.cancel();
  }

  /** Ends everything; for the guard that made these limiters. */
  public void close() {
    gate.close();
    endWaits();
  }
}
