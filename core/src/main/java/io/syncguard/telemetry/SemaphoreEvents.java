package io.syncguard.telemetry;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports operations on semaphores. */
final class SemaphoreEvents {

  private final EventQueue<SemaphoreEvent> queue;

  SemaphoreEvents(EventQueue<SemaphoreEvent> queue) {
    this.queue = queue;
  }

  Operation<SemaphoreEvent.Reason> begin(SemaphoreEvent.Type type, PermitReference permit) {
    return begin(type, permit.name(), permit.id(), 1);
  }

  Operation<SemaphoreEvent.Reason> begin(
      SemaphoreEvent.Type type, @Nullable ResourceKey name, int permits) {
    return begin(type, name, null, permits);
  }

  private Operation<SemaphoreEvent.Reason> begin(
      SemaphoreEvent.Type type, @Nullable ResourceKey name, @Nullable PermitId id, int permits) {
    return new Operation<>() {
      @Override
      void report(
          LockEvent.Result result,
          SemaphoreEvent.@Nullable Reason reason,
          @Nullable Code errorCode,
          Duration elapsed) {
        queue.add(
            () ->
                new SemaphoreEvent(
                    type,
                    result,
                    reason,
                    errorCode,
                    elapsed,
                    name == null ? null : name.hash(),
                    id == null ? null : id.hash(),
                    permits,
                    null,
                    null),
            event ->
                event.withRaw(name == null ? null : name.value(), id == null ? null : id.value()));
      }
    };
  }
}
