package io.syncguard.telemetry;

import io.syncguard.spi.LockBackend;
import java.util.function.Predicate;

/**
 * Reports every operation on a store, whichever way it came: from the user, from a handle, from a
 * helper's retries, from auto-extension. Without telemetry nothing of it costs anything.
 *
 * <p>Events wait in a queue of 8192; a listener that cannot keep up loses events, which is logged,
 * and never delays an operation.
 */
public final class Telemetry {

  private final LockListener listener;
  private final Predicate<LockEvent> includeRaw;

  private Telemetry(LockListener listener, Predicate<LockEvent> includeRaw) {
    this.listener = listener;
    this.includeRaw = includeRaw;
  }

  /** Returns telemetry that reports hashes only. */
  public static Telemetry to(LockListener listener) {
    return new Telemetry(listener, event -> false);
  }

  /** Returns telemetry that also reports raw keys and lockIds. They may be secret. */
  public Telemetry includingRaw() {
    return includingRaw(event -> true);
  }

  /** Returns telemetry that also reports raw keys and lockIds for the events that pass. */
  public Telemetry includingRaw(Predicate<LockEvent> includeRaw) {
    return new Telemetry(listener, includeRaw);
  }

  /** Returns a backend that does what the given one does and reports it. */
  public LockBackend observe(LockBackend backend) {
    return new ObservedLockBackend(backend, new EventQueue(listener, includeRaw));
  }
}
