package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.KeyHash;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Keeps the events it is told of. They arrive in order, so a last known one ends a list. */
public final class RecordedEvents implements TelemetryListener {

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private int endings;

  @Override
  public void onEvent(Event event) {
    events.add(event);
  }

  /** Returns all events of this kind since the last time that the guard, open or closed, has. */
  public <E extends Event> List<E> of(SyncGuard guard, Class<E> kind) {
    List<Event> all =
        until(
            key -> {
              try {
                guard.locks().isLocked(key);
              } catch (SyncGuardException e) {
                // Of a closed guard. It is reported too.
              }
            });
    return all.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Returns all events since the last time that this executor has. */
  public List<OperationEvent> of(OperationExecutor observed) {
    List<Event> all =
        until(
            key -> observed.execute(new LockOperation.IsLocked(ResourceKey.of(key)), Call.plain()));
    return all.stream().map(OperationEvent.class::cast).toList();
  }

  private List<Event> until(Consumer<String> question) {
    String ending = "the end " + ++endings;
    question.accept(ending);
    List<Event> taken = new ArrayList<>();
    for (Event next = take();
        !KeyHash.of(ending).equals(next.subject().nameHash());
        next = take()) {
      taken.add(next);
    }
    return taken;
  }

  /** Blocks until there is an event and returns it. */
  public Event take() {
    try {
      Event event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("an event").isNotNull();
      return event;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns what an operation came to, such as {@code acquire fail locked}. */
  public static String text(OperationEvent event) {
    String outcome = event.operation() + " " + event.result().label();
    if (event.reason() != null) {
      return outcome + " " + event.reason().label();
    }
    return event.errorCode() == null ? outcome : outcome + " " + event.errorCode();
  }
}
