package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
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
    try (LockWatch watch = locks.watch(key, hints::release).orElseThrow()) {
      assertTold();
      locks.release(new LockReference(lockId, key), TTL);
      assertTold();
      assertThat(watch.isTold()).isFalse();
    }
  }

  @Test
  void itIsToldWhenAnothersLockBecomesOneThatHasExpired() throws Exception {
    String id = key.value();
    store("locks", id, lockFields(id, lockId, "000000000000001", TTL));
    LockWatch watch = locks.watch(key, hints::release).orElseThrow();
    assertTold();
    store("locks", id, lockFields(id, lockId, "000000000000001", Duration.ofMinutes(-1)));
    assertTold();
    watch.close();
  }
}
