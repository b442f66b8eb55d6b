package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static io.syncguard.testkit.lock.QueuedLockSuite.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.Locks;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.fault.PausableClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lock that is granted to a waiter: what it is, how it is confirmed, and when it ends. */
public interface LockGrantSuite extends QueuedLockSuite {

  @Test
  default void aReleaseGrantsToTheFirstInTheSameStep() {
    LockSteps steps = openSteps();
    LockSteps others = openSteps();
    String key = newKey();
    LockReference holder = steps.newLock(key);
    Granted held = steps.take(holder);
    LockReference first = others.join(key);
    steps.join(key);

    steps.leave(holder);

    RawLockInfo grant = steps.find(key);
    assertThat(grant.lockId()).isEqualTo(first.lockId());
    assertThat(grant.fence().isNewerThan(held.fence())).isTrue();
    assertThat(steps.lifeOf(key)).isIn(QueueTimes.GRANT, QueueTimes.GRANT_UNTOLD);
    assertThat(others.keepWaiting(first)).containsExactly(PlaceState.GONE);
  }

  @Test
  default void whatAWaiterIsToldOfItsGrantIsTrue() throws Exception {
    LockSteps steps = openSteps();
    LockSteps others = openSteps();
    assumeTrue(fixture().notifies(), "this store is polled");
    String key = newKey();
    LockReference holder = steps.take(key);
    LockReference waiter = others.newLock(key);
    Notices told = new Notices();
    try (Watch watch = others.store().locks().watch(waiter, told).orElseThrow()) {
      others.join(waiter);
      eventually(() -> assertThat(watch.isTold()).as("the store listens").isTrue());

      steps.leave(holder);

      eventually(() -> assertThat(told.toldAnything()).isTrue());
      RawLockInfo grant = steps.find(key);
      assertThat(told.grants())
          .allMatch(notice -> notice.fence().equals(grant.fence()))
          .allMatch(notice -> notice.expiresAt().equals(grant.expiresAt()));
      assertThat(grant.lockId()).isEqualTo(waiter.lockId());
    }
  }

  @Test
  default void aGrantIsConfirmedByAskingAgain() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference waiter = grantedWaiter(steps, key);
    Fence fence = steps.find(key).fence();

    Granted confirmed = LockSteps.granted(steps.ask(waiter));

    assertThat(confirmed.fence()).isEqualTo(fence);
    assertThat(steps.lifeOf(key)).isBetween(LONG, LONG.plusMinutes(1));
    assertThat(confirmed.expiresAt()).isEqualTo(steps.find(key).expiresAt());
    assertThat(steps.ask(waiter)).isEqualTo(confirmed);
    assertThat(steps.tryLock(waiter)).isEqualTo(confirmed);
    steps.leave(waiter);
    assertThat(steps.isLocked(key)).isFalse();
  }

  @Test
  default void aGrantIsConfirmedByAnExtension() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference waiter = grantedWaiter(steps, key);
    Fence fence = steps.find(key).fence();

    assertThat(steps.extend(waiter, LONG).isExtended()).isTrue();

    assertThat(steps.find(key).fence()).isEqualTo(fence);
    assertThat(steps.lifeOf(key)).isBetween(LONG, LONG.plusMinutes(1));
    steps.leave(waiter);
    assertThat(steps.isLocked(key)).isFalse();
  }

  @Test
  default void aGrantThatIsNotWantedIsReleasedLikeALock() {
    LockSteps steps = openSteps();
    String key = newKey();
    LockReference unwilling = grantedWaiter(steps, key);
    LockReference next = steps.join(key);
    steps.leave(unwilling);
    assertThat(steps.holderOf(key)).isEqualTo(next.lockId());
    steps.leave(next);
    assertThat(steps.isLocked(key)).isFalse();
  }

  private static LockReference grantedWaiter(LockSteps steps, String key) {
    LockReference holder = steps.take(key);
    LockReference waiter = steps.join(key);
    steps.leave(holder);
    assertThat(steps.holderOf(key)).isEqualTo(waiter.lockId());
    return waiter;
  }

  @Test
  default void fencesIncreaseInTheOrderOfGrants() {
    LockSteps steps = openSteps();
    LockSteps others = openSteps();
    String key = newKey();
    LockReference holding = steps.newLock(key);
    List<Long> fences = new ArrayList<>(List.of(steps.take(holding).fence().toLong()));
    List<LockReference> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiters.add((i % 3 == 0 ? others : steps).join(key));
    }
    for (LockReference next : waiters) {
      steps.leave(holding);
      fences.add(steps.take(next).fence().toLong());
      holding = next;
    }
    steps.leave(holding);
    fences.add(steps.take(steps.newLock(key)).fence().toLong());
    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }

  @Test
  default void aGrantThatIsNotConfirmedEndsAndTheNextIsServed() throws Exception {
    LockSteps steps = openSteps();
    LockSteps others = openSteps();
    String key = newKey();
    LockReference silent = grantedWaiter(steps, key);
    Fence lost = steps.find(key).fence();
    LockReference next = others.join(key);
    for (int beats = 0;
        beats < 4 && others.keepWaiting(next).contains(PlaceState.WAITING);
        beats++) {
      fixture().passTime(QueueTimes.BEAT);
    }

    RawLockInfo grant = others.find(key);
    assertThat(grant.lockId()).isEqualTo(next.lockId());
    assertThat(grant.fence().isNewerThan(lost)).isTrue();
    assertThat(steps.extend(silent, LONG)).isEqualTo(NotExtended.NOT_FOUND);
    others.take(next);
    assertThat(steps.join(silent)).isPositive();
    others.leave(next);
    assertThat(steps.holderOf(key)).isEqualTo(silent.lockId());
  }

  /** Neither the grant that it learns of too late nor what it confirms by it is a lock. */
  @Test
  default void aWaiterThatIsPausedAfterItsGrantIsPassedOverAndKnowsThatItDoesNotHold()
      throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    PausableClient client = new PausableClient();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(locks(), key, LONG);
    Locks pausable = openOver(guardOptions(), store -> callers.over(client.over(store))).locks();
    CompletableFuture<LockHandle> paused = begin(pausable, key);
    callers.await(1);
    CompletableFuture<LockHandle> next = begin(open(callers).locks(), key);
    callers.await(2);
    client.pause();
    held.close();
    LockId passedOver = otherLocks().getByKeyRaw(key).orElseThrow().lockId();

    passTimeUntilDone(next);
    LockHandle successor = join(next);
    untilConfirmed(steps, key);
    client.resume();
    passTimeInSteps(QueueTimes.BEAT);

    assertThat(successor.isHeld()).isTrue();
    assertThat(successor.lockId()).isNotEqualTo(passedOver);
    assertThat(otherLocks().owns(successor.lockId())).isTrue();
    assertThat(paused).isNotDone();
    successor.close();
    LockHandle late = join(paused);
    assertThat(late.fence().isNewerThan(successor.fence())).isTrue();
    late.close();
  }

  /** The time from its grant on is short, and its own ttl is long. */
  @Test
  default void aWaiterThatWasGrantedALockHasItForItsOwnTime() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(locks(), key, LONG);
    CompletableFuture<LockHandle> waiter = begin(open(callers).locks(), key);
    callers.await(1);
    held.close();
    LockHandle granted = join(waiter);
    untilConfirmed(steps, key);
    passTimeInSteps(UNTIL_A_GRANT_IS_OVER);
    assertThat(granted.isHeld()).isTrue();
    assertThat(otherLocks().owns(granted.lockId())).isTrue();
    granted.close();
  }
}
