package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.LockWatch;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a waiter is told, without asking again itself. */
class DocumentWatchTest extends OnFirestore {

  private final LockId lockId = LockId.random();
  private ResourceKey key;
  private CountDownLatch told;

  @BeforeEach
  void choose() {
    key = ResourceKey.of(newKey());
    told = new CountDownLatch(1);
  }

  private void assertTold() throws InterruptedException {
    assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aReleaseIsTold() throws Exception {
    acquire(key.value(), lockId);
    try (LockWatch watch = locks.watch(key, told::countDown).orElseThrow()) {
      locks.release(new LockReference(lockId, key), TTL);
      assertTold();
      assertThat(watch.isTold()).isFalse();
    }
  }

  @Test
  void aLockThatExpiredBeforeIsToldOf() throws Exception {
    String id = key.value();
    store("locks", id, lockFields(id, lockId, "000000000000001", Duration.ofMinutes(-1)));
    LockWatch watch = locks.watch(key, told::countDown).orElseThrow();
    assertTold();
    watch.close();
  }
}
