package io.syncguard.testkit.semaphore;

import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.test.MovableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** First come, first served. */
public interface QueueSuite extends SemaphoreSuite {

  /** Returns how many wait in the tests with a long queue; a slow store may do with fewer. */
  default int manyWaiters() {
    return 10_000;
  }

  @Test
  default void waitersOfSeveralClientsAreServedInOrderOfArrival() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    List<CompletableFuture<Permit>> waiters = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      SyncGuard client = i % 2 == 0 ? guard() : otherGuard();
      waiters.add(client.semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture());
      untilWaiting(name, i + 1);
    }
    for (int i = 0; i < 10; i++) {
      held.close();
      held = waiters.get(i).join();
      assertThat(waiters.subList(i + 1, 10)).noneMatch(CompletableFuture::isDone);
    }
    held.close();
  }

  @Test
  default void aClientWhoseClockIsWrongIsServedInTurn() throws Exception {
    String name = newName();
    MovableTime fast = MovableTime.flowing();
    fast.advance(Duration.ofDays(1));
    SyncGuard ahead = open(guardOptions().withTimeSource(fast));
    Permit held = take(ahead.semaphore(name, 1));
    CompletableFuture<Permit> first =
        guard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 1);
    CompletableFuture<Permit> second =
        ahead.semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 2);
    assertThat(held.isHeld()).isTrue();
    assertThat(held.release()).isEqualTo(PermitReleaseResult.RELEASED);
    Permit next = first.join();
    assertThat(second).isNotDone();
    assertThat(next.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(second.join().release()).isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  default void thoseWhoComeAtTheSameTimeHaveAnOrderToo() {
    String name = newName();
    PermitReference holder = newPermit(name);
    assertThat(attempt(holder, 1, true)).isInstanceOf(PermitAttempt.Held.class);
    List<PermitReference> waiters = new ArrayList<>();
    List<Long> tickets = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      PermitReference waiter = newPermit(name);
      waiters.add(waiter);
      tickets.add(((PermitAttempt.Waiting) attempt(waiter, 1, true)).ticket());
    }
    assertThat(tickets).isSorted().doesNotHaveDuplicates();
    PermitReference holding = holder;
    for (PermitReference next : waiters) {
      give(holding);
      assertThat(attempt(next, 1, true)).isInstanceOf(PermitAttempt.Held.class);
      holding = next;
    }
    give(holding);
  }

  private void give(PermitReference permit) {
    assertThat(release(permit)).isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  default void aFreedSlotIsTheFirstWaitersAtOnce() {
    String name = newName();
    PermitReference holder = newPermit(name);
    PermitReference first = newPermit(name);
    PermitReference second = newPermit(name);
    attempt(holder, 1, true);
    attempt(first, 1, true);
    attempt(second, 1, true);
    give(holder);

    assertThat(attempt(newPermit(name), 1, false)).isInstanceOf(PermitAttempt.Busy.class);
    assertThat(attempt(second, 1, true)).isInstanceOf(PermitAttempt.Waiting.class);
    assertThat(ping(first.name(), List.of(first.id(), second.id())))
        .containsExactly(PermitState.HOLDING, PermitState.WAITING);
    assertThat(attempt(first, 1, true)).isInstanceOf(PermitAttempt.Held.class);
    give(first);
    give(second);
  }

  @Test
  default void anAttemptThatDoesNotWaitDoesNotOvertakeTheQueue() throws Exception {
    String name = newName();
    Permit held = take(guard().semaphore(name, 1));
    CompletableFuture<Permit> waiter =
        guard().semaphore(name, 1).async().acquire(PATIENCE).toCompletableFuture();
    untilWaiting(name, 1);
    assertThat(otherGuard().semaphore(name, 1).tryAcquire()).isEmpty();
    held.close();
    assertThat(otherGuard().semaphore(name, 1).tryAcquire()).isEmpty();
    waiter.join().close();
    take(otherGuard().semaphore(name, 1)).close();
  }

  @Test
  default void leavingTheMiddleOfALongQueueLeavesTheOthersInOrder() {
    int many = manyWaiters();
    String name = newName();
    PermitReference holding = newPermit(name);
    attempt(holding, 1, true);
    List<PermitReference> waiters = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      PermitReference waiter = newPermit(name);
      waiters.add(waiter);
      assertThat(attempt(waiter, 1, true)).isInstanceOf(PermitAttempt.Waiting.class);
    }
    assertThat(waiting(name)).isEqualTo(many);
    for (int i = 0; i < many; i++) {
      if (i % 100 != 0) {
        assertThat(release(waiters.get(i))).isEqualTo(PermitReleaseResult.LEFT_QUEUE);
      }
    }
    for (int i = 0; i < many; i += 100) {
      give(holding);
      holding = waiters.get(i);
      assertThat(attempt(holding, 1, true)).isInstanceOf(PermitAttempt.Held.class);
    }
    give(holding);
    assertThat(otherGuard().semaphores().stats(name)).isEmpty();
  }

  @Test
  default void manyWaitersOfOneClientAreAllServed() {
    String name = newName();
    FairSemaphore semaphore = guard().semaphore(name, 4);
    List<Permit> held = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      held.add(take(semaphore));
    }
    List<CompletableFuture<PermitReleaseResult>> passed = new ArrayList<>();
    for (int i = 0; i < manyWaiters(); i++) {
      passed.add(
          semaphore
              .async()
              .acquire(Duration.ofMinutes(5))
              .thenCompose(Permit::releaseAsync)
              .toCompletableFuture());
    }
    held.forEach(Permit::close);
    assertThat(passed).allMatch(result -> result.join() == PermitReleaseResult.RELEASED);
    assertThat(otherGuard().semaphores().stats(name)).isEmpty();
  }

  @Test
  default void oneHeartbeatServesMany() {
    String name = newName();
    attempt(newPermit(name), 1, true);
    List<PermitId> waiters = new ArrayList<>();
    for (int i = 0; i < SemaphoreOperation.Ping.MOST_PERMITS; i++) {
      PermitReference waiter = newPermit(name);
      attempt(waiter, 1, true);
      waiters.add(waiter.id());
    }
    PermitReference any = newPermit(name);
    assertThat(ping(any.name(), waiters))
        .hasSize(SemaphoreOperation.Ping.MOST_PERMITS)
        .containsOnly(PermitState.WAITING);
  }
}
