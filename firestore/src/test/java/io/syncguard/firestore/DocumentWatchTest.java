package io.syncguard.firestore;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a waiter is told, without asking again itself. */
class DocumentWatchTest extends OnFirestore {

  private LockId lockId;
  private ResourceKey key;
  private Semaphore hints;

  @BeforeEach
  void choose() {
    lockId = LockId.random();
    key = ResourceKey.of(newKey());
    hints = new Semaphore(0);
  }

  private void assertTold() throws InterruptedException {
    assertThat(hints.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void itIsToldToAskOnceMoreWhenTheListenerStandsAndThenOfARelease() throws Exception {
    acquire(key.value(), lockId);
    try (Watch watch =
        store
            .locks()
            .watch(new LockReference(LockId.random(), key), WaiterHints.looking(hints::release))
            .orElseThrow()) {
      assertTold();
      ask(store, new LockOperation.Release(new LockReference(lockId, key)));
      assertTold();
      assertThat(watch.isTold()).isFalse();
    }
  }

  @Test
  void itIsToldWhenAnothersLockBecomesOneThatHasExpired() throws Exception {
    String id = key.value();
    store("locks", id, lockFields(id, lockId, "000000000000001", TTL));
    Watch watch =
        store
            .locks()
            .watch(new LockReference(LockId.random(), key), WaiterHints.looking(hints::release))
            .orElseThrow();
    assertTold();
    store("locks", id, lockFields(id, lockId, "000000000000001", Duration.ofMinutes(-1)));
    assertTold();
    watch.close();
  }
}
