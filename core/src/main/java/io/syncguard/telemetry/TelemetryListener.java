package io.syncguard.telemetry;

/** Is told of events; see {@link Telemetry}. */
@FunctionalInterface
public interface TelemetryListener {

  /** Takes an event, in a thread of the telemetry's; one event at a time. */
  void onEvent(Event event);
}
