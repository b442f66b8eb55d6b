package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Closing a guard while its permits are in use. */
public interface PermitClosingSuite extends SemaphoreSuite {

  @Test
  default void closingWaitsForAPermitAndEndsWaitsForIt() throws InterruptedException {
    String name = newName();
    FaultyClient client = openFaulty(guardOptions().withCloseTimeout(LONG));
    SyncGuard closing = client.guard();
    FairSemaphore slots = closing.semaphore(name, 1, MORTAL);
    Permit held = SemaphoreSuite.take(slots);
    CompletableFuture<Permit> waiting = slots.async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 1);
    Thread closer = new Thread(closing::close);
    closer.start();
    Eventually.untilWaiting(closer);
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(waiting));
    assertFails(Code.SERVICE_UNAVAILABLE, slots::tryAcquire);
    int heartbeats = client.faults().operations(SemaphoreOperation.Ping.class);
    eventually(
        () ->
            assertThat(client.faults().operations(SemaphoreOperation.Ping.class))
                .isGreaterThan(heartbeats + 2));
    assertThat(held.isHeld()).isTrue();
    held.close();
    closer.join();
    assertThat(acquired(name)).isZero();
    eventually(() -> assertThat(waiting(name)).isZero());
  }

  @Test
  default void manyWhoWaitHaveLeftTheQueueWhenTheirGuardIsClosed() throws InterruptedException {
    assertThatWaitersLeave(guardOptions());
  }

  @Test
  default void theyHaveLeftItAlsoWhenTheGuardKeepsWhatItHolds() throws InterruptedException {
    assertThatWaitersLeave(guardOptions().withKeepOnClose());
  }

  private void assertThatWaitersLeave(GuardOptions options) throws InterruptedException {
    int many = 50;
    String name = newName();
    Permit held = SemaphoreSuite.take(open(guardOptions()).semaphore(name, 1));
    SyncGuard closing = open(options);
    FairSemaphore slots = closing.semaphore(name, 1);
    List<CompletableFuture<Permit>> waits = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      waits.add(slots.async().acquire(PATIENCE).toCompletableFuture());
    }
    Thread blocked = new Thread(() -> assertFails(Code.SERVICE_UNAVAILABLE, slots::acquire));
    blocked.start();
    untilWaiting(name, many + 1);
    closing.close();
    assertThat(waiting(name)).isZero();
    waits.forEach(wait -> assertFails(Code.SERVICE_UNAVAILABLE, () -> join(wait)));
    blocked.join();
    held.close();
  }

  @Test
  default void permitsThatAreHeldWhenTheTimeIsOverAreReleasedAndTheirHoldersAreTold()
      throws InterruptedException {
    String name = newName();
    SyncGuard closing = open(guardOptions().withCloseTimeout(Duration.ofMillis(100)));
    List<Permit> held = new ArrayList<>();
    CountDownLatch lost = new CountDownLatch(50);
    for (int i = 0; i < 50; i++) {
      held.add(SemaphoreSuite.take(closing.semaphore(name, 50)).onLost(lost::countDown));
    }
    closing.close();
    assertThat(held).noneMatch(Permit::isHeld);
    assertThat(acquired(name)).isZero();
    assertThat(lost.await(1, TimeUnit.MINUTES)).isTrue();
    held.forEach(Permit::close);
  }
}
