package io.syncguard.telemetry;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports operations on locks. */
final class LockEvents {

  private final EventQueue<LockEvent> queue;

  LockEvents(EventQueue<LockEvent> queue) {
    this.queue = queue;
  }

  Operation<LockEvent.Reason> begin(
      LockEvent.Type type, @Nullable ResourceKey key, @Nullable LockId lockId) {
    return new Operation<>() {
      @Override
      void report(
          LockEvent.Result result,
          LockEvent.@Nullable Reason reason,
          @Nullable Code errorCode,
          Duration elapsed) {
        queue.add(
            () ->
                new LockEvent(
                    type,
                    result,
                    reason,
                    errorCode,
                    elapsed,
                    key == null ? null : key.hash(),
                    lockId == null ? null : lockId.hash(),
                    null,
                    null),
            event ->
                event.withRaw(
                    key == null ? null : key.value(), lockId == null ? null : lockId.value()));
      }
    };
  }
}
