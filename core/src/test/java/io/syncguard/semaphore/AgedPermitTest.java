package io.syncguard.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A slot that a store gave some time before it said so, as when it was inherited. */
class AgedPermitTest {

  private final List<PermitId> asked = new ArrayList<>();
  private final SyncGuard guard = SyncGuard.over(new AnsweringStore(this::held));

  @AfterEach
  void close() {
    guard.close();
  }

  private PermitAttempt held(PermitRequest request) {
    asked.add(request.permit().id());
    Duration age = asked.size() == 1 ? request.heartbeatTimeout() : Duration.ZERO;
    return new PermitAttempt.Held(1, Instant.now().plus(request.ttl()), age);
  }

  @Test
  void aPermitWhoseTimeWasOverBeforeWeLearnedOfItIsNotHandedOut() {
    Permit permit = guard.semaphore("slots", 1).acquire(Duration.ofSeconds(30));
    assertThat(permit.isHeld()).isTrue();
    assertThat(asked).hasSize(2).doesNotHaveDuplicates();
  }
}
