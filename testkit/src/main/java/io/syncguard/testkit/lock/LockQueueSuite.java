package io.syncguard.testkit.lock;

import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static io.syncguard.testkit.lock.QueuedLockSuite.begin;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.lock.Contended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** First come, first served. */
public interface LockQueueSuite extends QueuedLockSuite {

  @Test
  default void waitersForALockAreServedInOrderOfArrival() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    List<SyncGuard> clients = List.of(open(callers), open(callers));
    LockHandle held = take(locks(), key, LONG);
    List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiters.add(begin(clients.get(i / 2 % 2).locks(), key));
      callers.await(i + 1);
    }
    Fence last = held.fence();
    for (int i = 0; i < 10; i++) {
      held.close();
      held = join(waiters.get(i));
      assertThat(held.fence().isNewerThan(last)).isTrue();
      assertThat(waiters.subList(i + 1, 10)).noneMatch(CompletableFuture::isDone);
      last = held.fence();
    }
    held.close();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void waitersThatComeAtTheSameTimeHaveAnOrderToo() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference holding = steps.take(key);
    List<LockReference> waiters = new ArrayList<>();
    List<Long> tickets = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      LockReference waiter = steps.newLock(key);
      waiters.add(waiter);
      tickets.add(steps.join(waiter));
    }
    assertThat(tickets).isSorted().doesNotHaveDuplicates();
    for (LockReference next : waiters) {
      steps.leave(holding);
      steps.take(next);
      holding = next;
    }
    steps.leave(holding);
    assertThat(steps.isLocked(key)).isFalse();
  }

  @Test
  default void aPlaceIsKeptHoweverOftenItsWaiterAsks() {
    LockSteps steps = openSteps();
    String key = newKey();
    steps.take(key);
    LockReference first = steps.newLock(key);
    long ticket = steps.join(first);
    assertThat(steps.join(steps.newLock(key))).isGreaterThan(ticket);
    assertThat(steps.join(first)).isEqualTo(ticket);
    assertThat(steps.keepWaiting(first)).containsExactly(PlaceState.WAITING);
  }

  @Test
  default void neitherAnAttemptNorANewcomerOvertakesWaiters() {
    LockSteps steps = openSteps();
    LockSteps others = openSteps();
    String key = newKey();
    LockReference holder = steps.take(key);
    LockReference first = steps.join(key);
    LockReference second = others.join(key);
    assertThat(others.tryLock(others.newLock(key))).isInstanceOf(Held.class);
    steps.leave(holder);

    assertThat(others.tryLock(others.newLock(key))).isInstanceOf(Held.class);
    assertThat(others.join(second)).isPositive();
    LockReference newcomer = others.join(key);
    assertThat(steps.holderOf(key)).isEqualTo(first.lockId());
    steps.take(first);
    steps.leave(first);
    assertThat(steps.holderOf(key)).isEqualTo(second.lockId());
    others.leave(second);
    assertThat(steps.holderOf(key)).isEqualTo(newcomer.lockId());
  }

  @Test
  default void anAttemptIsContendedWhileOthersWait() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(locks(), key, LONG);
    CompletableFuture<LockHandle> waiter = begin(open(callers).locks(), key);
    callers.await(1);
    held.close();
    assertThat(otherLocks().tryLock(key)).isInstanceOf(Contended.class);
    join(waiter).close();
    take(otherLocks(), key, LONG).close();
  }

  @Test
  default void anExpiredHoldersLockIsNotForANewcomerWhileOthersWait() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    steps.attempt(steps.newLock(key), SHORT, false);
    LockReference first = steps.join(key);
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    assertThat(steps.tryLock(steps.newLock(key))).isInstanceOf(Held.class);
    assertThat(steps.holderOf(key)).isEqualTo(first.lockId());
  }

  @Test
  default void theFirstWaiterTakesAnExpiredHoldersLockByAsking() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    Granted expired = LockSteps.granted(steps.attempt(steps.newLock(key), SHORT, false));
    LockReference first = steps.join(key);
    LockReference second = steps.join(key);
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    Granted taken = steps.take(first);

    assertThat(taken.fence().isNewerThan(expired.fence())).isTrue();
    assertThat(steps.lifeOf(key)).isEqualTo(LONG);
    assertThat(steps.keepWaiting(second)).containsExactly(PlaceState.WAITING);
  }

  @Test
  default void whoDoesNotWaitAnyMoreHasNoPlace() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference holder = steps.take(key);
    LockReference waiter = steps.join(key);
    assertThat(steps.tryLock(waiter)).isInstanceOf(Held.class);
    assertThat(steps.keepWaiting(waiter)).containsExactly(PlaceState.GONE);
    steps.leave(holder);
    assertThat(steps.isLocked(key)).isFalse();
  }

  @Test
  default void aWaiterIsToldForHowLongTheHolderHasTheLock() {
    LockSteps steps = openSteps();
    String key = newKey();
    Duration ttl = Duration.ofMinutes(1);
    Duration longest = ttl.plusMillis(Liveness.TOLERANCE_MS);
    steps.attempt(steps.newLock(key), ttl, false);
    Queued queued = (Queued) steps.ask(steps.newLock(key));
    assertThat(queued.remaining()).isBetween(ttl.dividedBy(2), longest);
    Held held = (Held) steps.tryLock(steps.newLock(key));
    assertThat(held.remaining()).isBetween(ttl.dividedBy(2), longest);
  }

  @Test
  default void eachKeyHasItsOwnQueue() {
    LockSteps steps = openSteps();
    String one = newKey();
    String another = newKey();
    LockReference holder = steps.take(one);
    LockReference waiter = steps.join(one);
    steps.take(another);
    LockReference waiterForAnother = steps.join(another);
    steps.leave(holder);
    assertThat(steps.keepWaiting(waiter, waiterForAnother))
        .containsExactly(PlaceState.GONE, PlaceState.WAITING);
  }
}
