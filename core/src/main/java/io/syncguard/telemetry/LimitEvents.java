package io.syncguard.telemetry;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports operations on counters and rate limiters. */
final class LimitEvents {

  private final EventQueue<LimitEvent> queue;

  LimitEvents(EventQueue<LimitEvent> queue) {
    this.queue = queue;
  }

  Operation<LimitEvent.Reason> begin(LimitEvent.Type type, ResourceKey key) {
    return new Operation<>() {
      @Override
      void report(
          LockEvent.Result result,
          LimitEvent.@Nullable Reason reason,
          @Nullable Code errorCode,
          Duration elapsed) {
        queue.add(
            () -> new LimitEvent(type, result, reason, errorCode, elapsed, key.hash(), null),
            event -> event.withRaw(key.value()));
      }
    };
  }
}
