package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static io.syncguard.testkit.lock.QueuedLockSuite.begin;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.fault.ForwardingLocks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Replies and notices that get lost at every step of a wait for a lock. */
public interface LockLostReplySuite extends QueuedLockSuite {

  @Test
  default void aLostReplyToJoiningCostsNoPlace() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    Faults faults = Faults.on(LockOperation.Acquire.class);
    LockHandle held = take(otherLocks(), key, LONG);
    SyncGuard losing = open(guardOptions(), next -> faults.apply(callers.apply(next)));
    faults.loseReplies(1);
    CompletableFuture<LockHandle> unlucky = begin(losing.locks(), key);
    callers.await(1);
    CompletableFuture<LockHandle> second = begin(open(callers).locks(), key);
    callers.await(2);
    eventually(() -> assertThat(faults.answers()).as("answers to the first").isPositive());

    held.close();

    join(CompletableFuture.anyOf(unlucky, second));
    assertThat(second).isNotDone();
    join(unlucky).close();
    join(second).close();
    assertThat(otherLocks().isLocked(key)).isFalse();
  }

  @Test
  default void aLostReplyToAConfirmationOfAGrantIsNoLoss() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    Faults faults = Faults.on(LockOperation.Extend.class, LockOperation.Acquire.class);
    LockHandle held = take(otherLocks(), key, LONG);
    SyncGuard client = open(guardOptions(), next -> callers.apply(faults.apply(next)));
    CompletableFuture<LockHandle> waiter = begin(client.locks(), key);
    callers.await(1);
    faults.loseReplies(1);

    held.close();

    LockHandle lock = join(waiter);
    untilConfirmed(steps, key);
    passTimeInSteps(UNTIL_A_GRANT_IS_OVER);
    assertThat(lock.isHeld()).isTrue();
    assertThat(otherLocks().owns(lock.lockId())).isTrue();
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  default void aConfirmationThatIsRefusedIsSentAgain() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    Faults faults = Faults.on(LockOperation.Extend.class, LockOperation.Acquire.class);
    LockHandle held = take(otherLocks(), key, LONG);
    SyncGuard client = open(guardOptions(), next -> callers.apply(faults.apply(next)));
    CompletableFuture<LockHandle> waiter = begin(client.locks(), key);
    callers.await(1);
    faults.refuse(1);

    held.close();

    LockHandle lock = join(waiter);
    untilConfirmed(steps, key);
    assertThat(lock.isHeld()).isTrue();
    lock.close();
  }

  @Test
  default void aLostReplyToAReleaseGrantsOnce() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    Faults faults = Faults.on(LockOperation.Release.class);
    SyncGuard losing = open(guardOptions(), faults);
    LockHandle held = take(losing.locks(), key, LONG);
    SyncGuard client = open(callers);
    CompletableFuture<LockHandle> first = begin(client.locks(), key);
    callers.await(1);
    CompletableFuture<LockHandle> second = begin(client.locks(), key);
    callers.await(2);
    faults.loseReplies(2);

    assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);

    LockHandle next = join(first);
    assertThat(faults.operations()).isGreaterThan(2);
    assertThat(next.isHeld()).isTrue();
    assertThat(second).isNotDone();
    assertThat(otherLocks().owns(next.lockId())).isTrue();
    next.close();
    join(second).close();
  }

  @Test
  default void aWaiterLeavesAlthoughTheReplyIsLostOrTheStoreAway() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    LockHandle held = take(otherLocks(), key, LONG);
    Faults faults = Faults.on(LockOperation.Release.class);
    QueuedCallers callers = new QueuedCallers();
    SyncGuard client = open(guardOptions(), next -> callers.apply(faults.apply(next)));
    for (int round = 0; round < 2; round++) {
      CancelSignal signal = CancelSignal.create();
      CompletableFuture<LockHandle> waiter = begin(client.locks().cancelledBy(signal), key);
      callers.await(1);
      if (round == 0) {
        faults.loseReplies(1);
      } else {
        faults.refuse(1);
      }
      signal.cancel();
      assertFails(Code.ABORTED, () -> join(waiter));
      eventually(
          () -> {
            fixture().passTime(QueueTimes.BEAT.dividedBy(20));
            callers.await(0);
          });
    }
    held.close();
    assertThat(steps.isLocked(key)).isFalse();
  }

  @Test
  default void aJoinGivenUpInDoubtLeavesNoPlaceBehind() throws Exception {
    LockSteps steps = openSteps();
    String key = newKey();
    LockHandle held = take(otherLocks(), key, LONG);
    Faults faults = Faults.on(LockOperation.Acquire.class);
    QueuedCallers callers = new QueuedCallers();
    SyncGuard client = open(guardOptions(), next -> faults.apply(callers.apply(next)));
    CancelSignal signal = CancelSignal.create();
    faults.loseReplies(Integer.MAX_VALUE);
    CompletableFuture<LockHandle> waiter = begin(client.locks().cancelledBy(signal), key);
    callers.await(1);

    signal.cancel();

    assertFails(Code.ABORTED, () -> join(waiter));
    callers.await(0);
    held.close();
    assertThat(steps.isLocked(key)).isFalse();
  }

  @Test
  default void aLostReplyToASignOfLifeCostsNothing() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    Faults faults = Faults.on(LockOperation.KeepWaiting.class);
    LockHandle held = take(otherLocks(), key, LONG);
    SyncGuard client = open(guardOptions(), next -> callers.apply(faults.apply(next)));
    CompletableFuture<LockHandle> first = begin(client.locks(), key);
    callers.await(1);
    CompletableFuture<LockHandle> second = begin(open(callers).locks(), key);
    callers.await(2);
    faults.loseReplies(2);
    fixture().passTime(QueueTimes.BEAT.multipliedBy(2));

    held.close();

    LockHandle next = join(first);
    assertThat(second).isNotDone();
    next.close();
    join(second).close();
  }

  @Test
  default void aLostNoticeCostsTimeButNoLock() throws Exception {
    openSteps();
    String key = newKey();
    QueuedCallers callers = new QueuedCallers();
    LockHandle held = take(otherLocks(), key, LONG);
    SyncGuard deaf =
        openOver(
            guardOptions(),
            store ->
                callers.over(DecoratedStore.withLocks(store, LockLostReplySuite::losingNotices)));
    CompletableFuture<LockHandle> first = begin(deaf.locks(), key);
    callers.await(1);
    CompletableFuture<LockHandle> second = begin(open(callers).locks(), key);
    callers.await(2);

    held.close();

    passTimeUntilDone(first);
    LockHandle next = join(first);
    assertThat(next.fence().toLong()).isEqualTo(held.fence().toLong() + 1);
    assertThat(second).isNotDone();
    next.close();
    join(second).close();
  }

  private static LockBackend losingNotices(LockBackend locks) {
    return new ForwardingLocks(locks) {
      @Override
      public Optional<Watch> watch(
          LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
        return super.watch(waiter, WaiterHints.looking(() -> {}));
      }
    };
  }
}
