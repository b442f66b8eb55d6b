package io.syncguard.testkit.internal;

import io.syncguard.telemetry.Event;
import io.syncguard.telemetry.HoldEvent;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.TelemetryListener;
import io.syncguard.telemetry.WaitEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a guard has reported so far, in that order. Thread-safe. */
public final class RecordedEvents implements TelemetryListener {

  private final List<Event> events = new CopyOnWriteArrayList<>();

  /** Has recorded nothing yet. */
  public RecordedEvents() {}

  @Override
  public void onEvent(Event event) {
    events.add(event);
  }

  /** Returns the events of operations. */
  public List<OperationEvent> operations() {
    return of(OperationEvent.class);
  }

  /** Returns the events of waits. */
  public List<WaitEvent> waits() {
    return of(WaitEvent.class);
  }

  /** Returns the events of holds. */
  public List<HoldEvent> holds() {
    return of(HoldEvent.class);
  }

  private <E extends Event> List<E> of(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
