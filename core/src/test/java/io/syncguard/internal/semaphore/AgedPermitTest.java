package io.syncguard.internal.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.Permit;
import io.syncguard.spi.AnsweringStore;
import io.syncguard.spi.Operation;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A slot that a store gave some time before it said so, as when it was inherited. */
class AgedPermitTest {

  private final List<PermitId> asked = new ArrayList<>();
  private final SyncGuard guard =
      SyncGuard.over(new AnsweringStore(TimeSource.system(), this::held));

  @AfterEach
  void close() {
    guard.close();
  }

  private @Nullable CompletionStage<?> held(Operation<?> operation) {
    if (!(operation instanceof SemaphoreOperation.Acquire acquire)) {
      return null;
    }
    asked.add(acquire.permit().id());
    Duration age = asked.size() == 1 ? acquire.heartbeatTimeout() : Duration.ZERO;
    return CompletableFuture.completedFuture(
        new PermitAttempt.Held(1, Instant.now().plus(acquire.ttl()), age));
  }

  @Test
  void aPermitWhoseTimeWasOverWhenItArrivedIsNotHandedOut() {
    try (Permit permit = guard.semaphore("slots", 1).acquire(Duration.ofSeconds(30))) {
      assertThat(permit.isHeld()).isTrue();
    }
    assertThat(asked).hasSize(2).doesNotHaveDuplicates();
  }
}
