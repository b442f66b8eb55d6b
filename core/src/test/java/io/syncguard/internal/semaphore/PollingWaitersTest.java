package io.syncguard.internal.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import org.junit.jupiter.api.Test;

class PollingWaitersTest {

  private static final ResourceKey NAME = ResourceKey.of("a");

  private final PollingWaiters polling = new PollingWaiters();

  private static QueuedPermit waiter(ResourceKey name, boolean watched) {
    PermitReference permit = new PermitReference(name, PermitId.random());
    return new QueuedPermit(permit, SemaphoreOptions.defaults(), watched, 0, () -> {}, asked -> {});
  }

  @Test
  void aReleaseConcernsOnlyTheWaitersThatPollForItsName() {
    QueuedPermit concerned = waiter(NAME, false);
    polling.add(concerned);
    for (int i = 0; i < 1000; i++) {
      polling.add(waiter(NAME, true));
      polling.add(waiter(ResourceKey.of("b"), false));
    }
    assertThat(polling.of(NAME)).containsExactly(concerned);
    assertThat(polling.of(ResourceKey.of("c"))).isEmpty();
  }

  @Test
  void nothingIsLeftOfWaitersThatLeave() {
    QueuedPermit first = waiter(NAME, false);
    QueuedPermit second = waiter(NAME, false);
    polling.add(first);
    polling.add(second);
    polling.remove(first);
    polling.remove(first);
    assertThat(polling.of(NAME)).containsExactly(second);
    polling.remove(second);
    assertThat(polling.names()).isZero();
  }
}
