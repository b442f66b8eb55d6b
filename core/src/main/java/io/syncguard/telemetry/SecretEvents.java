package io.syncguard.telemetry;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SecretId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports operations on secrets. */
final class SecretEvents {

  private final EventQueue<SecretEvent> queue;

  SecretEvents(EventQueue<SecretEvent> queue) {
    this.queue = queue;
  }

  Operation<SecretEvent.Reason> begin(SecretEvent.Type type, SecretId id) {
    return new Operation<>() {
      @Override
      void report(
          LockEvent.Result result,
          SecretEvent.@Nullable Reason reason,
          @Nullable Code errorCode,
          Duration elapsed) {
        queue.add(
            () -> new SecretEvent(type, result, reason, errorCode, elapsed, id.hash(), null),
            event -> event.withRaw(id.value()));
      }
    };
  }
}
