package io.syncguard.internal.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.internal.Gate;
import io.syncguard.internal.operation.Operations;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {

  private static final Duration INTERVAL = Duration.ofMillis(5);

  private final TimeSource time = TimeSource.system();
  private final Store store = StoreProvider.openStore("memory:", time);
  private final Gate gate = new Gate();
  private final Heartbeats heartbeats = new Heartbeats(new Operations(store, gate, null), time);

  @AfterEach
  void close() {
    heartbeats.close();
    store.close();
  }

  @Test
  void aMemberWhoseLossCannotBeToldDoesNotEndTheHeartbeatsOfTheOthers()
      throws InterruptedException {
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch beats = new CountDownLatch(3);
    heartbeats.add(
        new Member() {
          @Override
          void answered(PermitState state, long askedAt) {
            throw new OutOfMemoryError("unable to create native thread (planted)");
          }
        });
    heartbeats.add(
        new Member() {
          @Override
          void answered(PermitState state, long askedAt) {
            if (failed.getCount() == 0) {
              beats.countDown();
            }
          }
        });
    heartbeats.add(
        new Member() {
          @Override
          long nanosToGiveUp() {
            return 0;
          }

          @Override
          void giveUp() {
            failed.countDown();
            throw new OutOfMemoryError("unable to create native thread (planted)");
          }
        });
    assertThat(beats.await(1, TimeUnit.MINUTES)).isTrue();
  }

  private class Member extends Beating {

    Member() {
      super(
          new PermitReference(ResourceKey.of("slots"), PermitId.random()),
          INTERVAL,
          Duration.ofMinutes(1),
          time.nanoTime());
    }

    @Override
    void answered(PermitState state, long askedAt) {}

    @Override
    void orphaned() {}
  }
}
