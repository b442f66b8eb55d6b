package io.syncguard.telemetry;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * Reports what happens: every {@linkplain OperationEvent operation} on the store, whichever way it
 * came (from the user, from a handle, from retries, from auto-extension, from heartbeats), also if
 * it ends before the store is asked; every {@linkplain WaitEvent wait}; every {@linkplain HoldEvent
 * hold}, and with it every loss. Without telemetry nothing of it costs anything.
 *
 * <p>Events wait in a queue of 8192 per guard; a listener that cannot keep up loses events, which
 * is logged, and never delays an operation.
 */
public final class Telemetry {

  private final TelemetryListener listener;
  private final Predicate<Event> includeRaw;

  private Telemetry(TelemetryListener listener, Predicate<Event> includeRaw) {
    this.listener = listener;
    this.includeRaw = includeRaw;
  }

  /** Returns telemetry that reports to this listener, with hashes only. */
  public static Telemetry to(TelemetryListener listener) {
    return new Telemetry(
        Objects.requireNonNull(listener, "The listener must not be null"), event -> false);
  }

  /**
   * Returns telemetry that also reports raw keys, names and ids. They may be secret: with the raw
   * id of a secret each reader can view it.
   */
  public Telemetry includingRaw() {
    return includingRaw(event -> true);
  }

  /** Returns telemetry that also reports raw keys, names and ids of the events that pass. */
  public Telemetry includingRaw(Predicate<Event> includeRaw) {
    return new Telemetry(listener, includeRaw);
  }

  /** Returns who is told. */
  public TelemetryListener listener() {
    return listener;
  }

  /** Returns which events are to show raw keys, names and ids. */
  public Predicate<Event> includesRaw() {
    return includeRaw;
  }
}
