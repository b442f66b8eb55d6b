package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static io.syncguard.testkit.lock.QueuedLockSuite.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.fault.PausableClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The waiters of dead processes lose their places; those of the living keep them. */
public interface LockLivenessSuite extends QueuedLockSuite {

  @Test
  default void waitersOfADeadProcessAreSkipped() throws Exception {
    openSteps();
    assumeTrue(fixture().tellsClientsApart(), "all clients of this store are one process");
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    PausableClient dying = new PausableClient();
    SyncGuard deadGuard = openOver(guardOptions(), store -> callers.over(dying.over(store)));
    LockHandle held = take(locks(), key, LONG);
    List<CompletableFuture<LockHandle>> dead = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      dead.add(begin(deadGuard.locks(), key));
      callers.await(i + 1);
    }
    CompletableFuture<LockHandle> living = begin(open(callers).locks(), key);
    callers.await(6);
    dying.pause();
    fixture().passTime(UNTIL_DEAD);

    held.close();

    LockHandle served = join(living);
    assertThat(served.fence().toLong()).isEqualTo(held.fence().toLong() + 1);
    served.close();
    assertThat(dead).noneMatch(CompletableFuture::isDone);
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void aWaiterThatDiesAfterItsGrantIsPassedOver() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    PausableClient dying = new PausableClient();
    SyncGuard deadGuard = openOver(guardOptions(), store -> callers.over(dying.over(store)));
    LockHandle held = take(locks(), key, LONG);
    CompletableFuture<LockHandle> dead = begin(deadGuard.locks(), key);
    callers.await(1);
    CompletableFuture<LockHandle> living = begin(open(callers).locks(), key);
    callers.await(2);
    dying.pause();

    held.close();

    passTimeUntilDone(living);
    join(living).close();
    assertThat(dead).isNotDone();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void aLockIsFreeForANewcomerIfAllWhoWaitAreDead() throws Exception {
    LockSteps dead = openSteps();
    LockSteps living = openSteps();
    String key = newKey();
    LockReference holder = living.take(key);
    LockReference waiter = dead.join(key);
    fixture().passTime(UNTIL_DEAD);
    living.leave(holder);
    assertThat(living.isLocked(key)).isFalse();
    LockReference newcomer = living.take(key);
    assertThat(dead.keepWaiting(waiter)).containsExactly(PlaceState.GONE);
    living.leave(newcomer);
    assertThat(living.isLocked(key)).isFalse();
  }

  @Test
  default void oneSignOfLifeIsForAllWaitersOfAProcess() throws Exception {
    LockSteps steps = openSteps();
    LockSteps others = openSteps();
    String one = newKey();
    String another = newKey();
    LockReference holder = others.take(one);
    others.take(another);
    LockReference waiter = steps.join(one);
    LockReference second = steps.join(one);
    LockReference waiterForAnother = steps.join(another);
    for (Duration passed = Duration.ZERO;
        passed.compareTo(UNTIL_DEAD) < 0;
        passed = passed.plus(QueueTimes.BEAT)) {
      fixture().passTime(QueueTimes.BEAT);
      assertThat(steps.keepWaiting(waiter, waiterForAnother)).containsOnly(PlaceState.WAITING);
    }
    assertThat(steps.keepWaiting(second)).containsExactly(PlaceState.WAITING);
    others.leave(holder);
    assertThat(steps.holderOf(one)).isEqualTo(waiter.lockId());
  }

  @Test
  default void aSignOfLifeGrantsWhatAnExpiredHolderLeaves() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    steps.attempt(steps.newLock(key), SHORT, false);
    LockReference first = steps.join(key);
    LockReference second = steps.join(key);
    fixture().passTime(UNTIL_SHORT_IS_OVER);

    assertThat(steps.keepWaiting(first)).containsExactly(PlaceState.GONE);

    assertThat(steps.holderOf(key)).isEqualTo(first.lockId());
    assertThat(steps.keepWaiting(second)).containsExactly(PlaceState.WAITING);
  }

  @Test
  default void aHolderThatExpiresIsSucceededWithinAHeartbeat() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    steps.attempt(steps.newLock(key), SHORT, false);
    Instant free = steps.find(key).expiresAt().plusMillis(Liveness.TOLERANCE_MS);
    CompletableFuture<LockHandle> waiter = begin(locks(), key);
    passTimeUntilDone(waiter);
    try (LockHandle successor = join(waiter)) {
      RawLockInfo grant = steps.find(key);
      assertThat(grant.lockId()).isEqualTo(successor.lockId());
      assertThat(Duration.between(free, grant.acquiredAt()))
          .isLessThan(QueueTimes.BEAT.plusSeconds(1));
    }
  }

  @Test
  default void waitersOfManyKeysCostOneHeartbeat() throws Exception {
    LockSteps steps = openSteps();
    Faults counting = Faults.on(LockOperation.KeepWaiting.class);
    QueuedCallers callers = new QueuedCallers();
    SyncGuard client = open(guardOptions(), next -> callers.apply(counting.apply(next)));
    int keys = LockOperation.KeepWaiting.MOST_WAITERS;
    List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      String key = newKey();
      steps.take(key);
      waiters.add(begin(client.locks(), key));
    }
    callers.await(keys);
    int before = counting.operations();
    long startedAt = System.nanoTime();
    eventually(() -> assertThat(counting.operations() - before).isGreaterThanOrEqualTo(3));
    long beats = Duration.ofNanos(System.nanoTime() - startedAt).dividedBy(QueueTimes.BEAT);
    assertThat(counting.operations() - before).isLessThanOrEqualTo((int) beats + 3);
    assertThat(waiters).noneMatch(CompletableFuture::isDone);
  }
}
