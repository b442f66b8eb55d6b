package io.syncguard.postgresql.queue;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a lock that several wait for, and what is left of their queue. */
abstract class QueueSuite extends OnQueue {

  QueueSuite(int version) {
    super(version);
  }

  @Test
  void theLockGoesFromOneToTheNextInTheOrderOfTheirTickets() {
    LockId holder = hold(store);
    List<LockId> waiters = new ArrayList<>();
    long last = 0;
    for (int i = 0; i < 6; i++) {
      LockId waiter = LockId.random();
      long ticket = queued(wait(i % 2 == 0 ? store : other, waiter)).ticket();
      assertThat(ticket).isGreaterThan(last);
      last = ticket;
      waiters.add(waiter);
    }
    Fence fence = granted(wait(store, holder)).fence();
    for (LockId next : waiters) {
      assertThat(release(store, holder)).isEqualTo(ReleaseResult.RELEASED);
      assertThat(owner()).isEqualTo(next.value());
      Fence granted = granted(wait(other, next)).fence();
      assertThat(granted.toLong()).isEqualTo(fence.toLong() + 1);
      fence = granted;
      holder = next;
    }
    release(store, holder);
    assertThat(rowsOfQueues()).isZero();
    assertThat(sql.rows("SELECT 1 FROM syncguard_locks")).isEmpty();
  }

  @Test
  void aWaiterKeepsItsPlaceHoweverOftenItAsks() {
    hold(store);
    LockId first = LockId.random();
    Queued place = queued(wait(other, first));
    LockId second = join(store);
    assertThat(queued(wait(other, first)).ticket()).isEqualTo(place.ticket());
    assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isEqualTo(2);
    assertThat(keepWaiting(store, second)).containsExactly(PlaceState.WAITING);
  }

  @Test
  void whatIsLeftOfTheHoldersTimeIsTold() {
    hold(store);
    assertThat(queued(wait(other, LockId.random())).remaining())
        .isBetween(TTL.minusSeconds(10), TTL.plusSeconds(1));
  }

  @Test
  void aGrantIsARecordLikeAnyOtherButForItsShortLife() {
    LockId holder = hold(store);
    LockId waiter = join(other);
    release(store, holder);
    assertThat(sql.rows("SELECT key, lock_id, fence, user_key FROM syncguard_locks"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsEntry("lock_id", waiter.value());
              assertThat(row).containsEntry("fence", "000000000000002");
              assertThat(row).containsEntry("user_key", KEY);
            });
    assertThat(sql.number("SELECT expires_at_ms - acquired_at_ms FROM syncguard_locks"))
        .isEqualTo(QueueTimes.GRANT.toMillis());
    assertThat(ask(new LockOperation.IsLocked(RESOURCE))).isTrue();
    assertThat(ask(new LockOperation.FindById(waiter))).isPresent();
  }

  @Test
  void aGrantIsConfirmedByAskingAgain() {
    LockId holder = hold(store);
    LockId waiter = join(other);
    release(store, holder);
    Granted confirmed = granted(wait(other, waiter));
    assertThat(lifeLeftMs()).isGreaterThan(TTL.toMillis() - 10_000);
    assertThat(confirmed.expiresAt().toEpochMilli())
        .isEqualTo(sql.number("SELECT expires_at_ms FROM syncguard_locks"));
    assertThat(granted(wait(other, waiter))).isEqualTo(confirmed);
  }

  @Test
  void aGrantIsConfirmedByExtending() {
    LockId holder = hold(store);
    LockId waiter = join(other);
    release(store, holder);
    ExtendResult extended = ask(new LockOperation.Extend(reference(waiter), TTL));
    assertThat(extended.isExtended()).isTrue();
    assertThat(lifeLeftMs()).isGreaterThan(TTL.toMillis() - 10_000);
    assertThat(granted(wait(other, waiter)).fence()).isEqualTo(Fence.of(2));
  }

  @Test
  void aGrantThatIsNotConfirmedGoesToTheNext() {
    LockId holder = hold(store);
    LockId silent = join(other);
    LockId next = join(store);
    release(store, holder);
    assertThat(owner()).isEqualTo(silent.value());
    letTheLockExpire();
    assertThat(keepWaiting(store, next)).containsExactly(PlaceState.GONE);
    assertThat(owner()).isEqualTo(next.value());
    assertThat(granted(wait(store, next)).fence()).isEqualTo(Fence.of(3));
    assertThat(ask(new LockOperation.Extend(reference(silent), TTL)).isExtended()).isFalse();
    assertThat(wait(other, silent)).isInstanceOf(Queued.class);
  }

  @Test
  void aShortLockIsNotTakenForAGrantThatIsNotConfirmed() {
    LockId holder = LockId.random();
    Duration ttl = Duration.ofMillis(1500);
    LockOperation.Acquire acquire = new LockOperation.Acquire(RESOURCE, holder, ttl, true);
    Granted first = granted(ask(acquire));
    assertThat(granted(ask(acquire))).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noNewcomerOvertakesTheQueueOfALockThatHasExpired(boolean waits) {
    hold(store);
    LockId waiter = join(other);
    letTheLockExpire();
    LockId newcomer = LockId.random();
    if (waits) {
      assertThat(wait(store, newcomer)).isInstanceOf(Queued.class);
    } else {
      assertThat(tryOnce(store, newcomer)).isInstanceOf(Held.class);
    }
    assertThat(owner()).isEqualTo(waiter.value());
    assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isEqualTo(waits ? 1 : 0);
  }

  @Test
  void theFirstWaiterGetsAFreeLockForItsOwnTimeByAsking() {
    hold(store);
    LockId first = join(other);
    LockId second = join(store);
    letTheLockExpire();
    granted(tryOnce(other, first));
    assertThat(lifeLeftMs()).isGreaterThan(TTL.toMillis() - 10_000);
    assertThat(keepWaiting(store, second)).containsExactly(PlaceState.WAITING);
  }

  @Test
  void aWaiterThatAsksForTheLastTimeHasNoPlaceAfterwards() {
    LockId holder = hold(store);
    LockId waiter = join(other);
    assertThat(tryOnce(other, waiter)).isInstanceOf(Held.class);
    assertThat(rowsOfQueues()).isZero();
    release(store, holder);
    assertThat(sql.rows("SELECT 1 FROM syncguard_locks")).isEmpty();
  }

  @Test
  void aWaiterThatIsNotFirstAndAsksForTheLastTimeLeavesTheLockToTheFirst() {
    hold(store);
    LockId first = join(other);
    LockId second = join(store);
    letTheLockExpire();
    assertThat(tryOnce(store, second)).isInstanceOf(Held.class);
    assertThat(owner()).isEqualTo(first.value());
    assertThat(rowsOfQueues()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWaiterIsReleasedFromItsPlace(boolean keyIsKnown) {
    LockId holder = hold(store);
    LockId leaving = join(other);
    LockId staying = join(other);
    LockReference place = new LockReference(leaving, keyIsKnown ? RESOURCE : null);
    assertThat(ask(new LockOperation.Release(place))).isEqualTo(ReleaseResult.RELEASED);
    assertThat(ask(new LockOperation.Release(place))).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(keepWaiting(other, leaving, staying))
        .containsExactly(PlaceState.GONE, PlaceState.WAITING);
    release(store, holder);
    assertThat(owner()).isEqualTo(staying.value());
  }

  @Test
  void aWaiterThatLeavesAFreeLockBehindLeavesItToTheNext() {
    hold(store);
    LockId leaving = join(other);
    LockId next = join(store);
    sql.execute("DELETE FROM syncguard_locks");
    assertThat(release(other, leaving)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(owner()).isEqualTo(next.value());
  }

  @Test
  void aLateReleaseOfAnExpiredLockSaysSoAndGrants() {
    LockId holder = hold(store);
    LockId waiter = join(other);
    letTheLockExpire();
    assertThat(release(store, holder)).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(owner()).isEqualTo(waiter.value());
  }

  @Test
  void aRowThatAClientOfTheReferenceDeletedIsNoticedByTheNextSignOfLife() {
    hold(store);
    LockId waiter = join(other);
    LockId elsewhere = LockId.random();
    sql.execute("DELETE FROM syncguard_locks");
    assertThat(keepWaiting(other, elsewhere, waiter))
        .containsExactly(PlaceState.GONE, PlaceState.GONE);
    assertThat(owner()).isEqualTo(waiter.value());
  }

  @Test
  void aSignOfLifeGrantsToTheFirstWhichMayBeAnotherProcesss() {
    hold(store);
    LockId first = join(store);
    LockId second = join(other);
    letTheLockExpire();
    assertThat(keepWaiting(other, second)).containsExactly(PlaceState.WAITING);
    assertThat(owner()).isEqualTo(first.value());
  }

  @Test
  void waitersOfADeadProcessAreSkippedAndForgotten() {
    LockId holder = hold(store);
    LockId dead = join(other);
    join(other);
    LockId alive = join(store);
    letTheProcessDie(dead);
    release(store, holder);
    assertThat(owner()).isEqualTo(alive.value());
    assertThat(rowsOfQueues()).isZero();
  }

  @Test
  void aNewcomerGetsAFreeLockIfAllThatWaitAreDead() {
    hold(store);
    LockId dead = join(other);
    letTheProcessDie(dead);
    letTheLockExpire();
    granted(tryOnce(store, LockId.random()));
    assertThat(rowsOfQueues()).isZero();
  }

  @Test
  void aSignOfLifeIsThatOfAllWaitersOfTheProcess() {
    LockId holder = hold(store);
    LockId waiter = join(other);
    letTheProcessDie(waiter);
    assertThat(keepWaiting(other)).isEmpty();
    release(store, holder);
    assertThat(owner()).isEqualTo(waiter.value());
  }

  @Test
  void anAttemptIsASignOfLifeOfTheProcessOfAWaiter() {
    hold(store);
    LockId waiter = join(other);
    join(store);
    letTheProcessDie(waiter);
    letTheLockExpire();
    granted(tryOnce(other, waiter));
  }

  /** A process is alive for three seconds after its last sign of life. */
  @Test
  void aProcessLivesForThreeSecondsFromItsLastSignOfLife() {
    hold(store);
    join(other);
    assertThat(sql.number("SELECT alive_until_ms - " + NOW + " FROM syncguard_processes"))
        .isBetween(QueueTimes.ALIVE.toMillis() - 1000, QueueTimes.ALIVE.toMillis());
  }

  @Test
  void aRefusedGrantLeavesTheLockReleasedAndTheWaiterLearnsWhy() {
    LockId holder = hold(store);
    LockId waiter = join(other);
    LockId second = join(store);
    sql.execute("UPDATE syncguard_fence_counters SET fence = ?", Fence.MAX);
    assertThat(release(store, holder)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(sql.rows("SELECT 1 FROM syncguard_locks")).isEmpty();
    assertThat(keepWaiting(other, waiter)).containsExactly(PlaceState.GONE);
    assertFails(Code.INTERNAL, () -> wait(other, waiter));
    assertThat(release(other, waiter)).isEqualTo(ReleaseResult.RELEASED);
    assertFails(Code.INTERNAL, () -> tryOnce(store, second));
    assertFails(Code.INTERNAL, () -> wait(store, LockId.random()));
    assertThat(rowsOfQueues()).isZero();
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(Fence.MAX);
  }

  @Test
  void aWaiterWhoseIdAnotherLockHasDoesNotKeepTheOthersFromTheLock() {
    LockId holder = hold(store);
    LockId bad = join(other);
    LockId good = join(other);
    storeLock("another key", bad.value(), "000000000000007", Duration.ofMinutes(1));
    assertThat(release(store, holder)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(owner()).isEqualTo(good.value());
    assertThat(keepWaiting(other, bad)).containsExactly(PlaceState.GONE);
  }

  @Test
  void noPlaceIsTakenBehindADamagedLock() {
    storeLock(KEY, LockId.random().value(), "7", Duration.ofMinutes(1));
    assertFails(Code.INTERNAL, () -> wait(store, LockId.random()));
    assertThat(rowsOfQueues()).isZero();
  }

  @Test
  void theFenceOfAnExpiredLockCountsIfItsCounterIsLost() {
    storeLock(KEY, LockId.random().value(), "000000000000041", Duration.ofMinutes(1));
    LockId first = join(other);
    sql.execute("DELETE FROM syncguard_fence_counters");
    letTheLockExpire();
    keepWaiting(other, first);
    assertThat(sql.value("SELECT fence FROM syncguard_locks")).isEqualTo("000000000000042");
    LockId second = join(store);
    sql.execute("DELETE FROM syncguard_fence_counters");
    release(other, first);
    assertThat(owner()).isEqualTo(second.value());
    assertThat(sql.value("SELECT fence FROM syncguard_locks")).isEqualTo("000000000000043");
  }

  @Test
  void queuesOfSeveralKeysAreGrantedByOneSignOfLife() {
    List<LockReference> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ResourceKey key = ResourceKey.of("key " + i);
      granted(ask(new LockOperation.Acquire(key, LockId.random(), TTL, false)));
      LockId waiter = LockId.random();
      queued(ask(new LockOperation.Acquire(key, waiter, TTL, true)));
      waiters.add(new LockReference(waiter, key));
    }
    sql.execute("DELETE FROM syncguard_locks WHERE key <> 'key 2'");
    assertThat(ask(new LockOperation.KeepWaiting(waiters)))
        .containsExactly(
            PlaceState.GONE, PlaceState.GONE, PlaceState.WAITING, PlaceState.GONE, PlaceState.GONE);
    assertThat(sql.number("SELECT count(*) FROM syncguard_locks")).isEqualTo(5);
  }

  /** Each step may be repeated after its reply was lost. */
  @Test
  void everyStepMayBeAskedForAgain() {
    LockId holder = hold(store);
    LockId waiter = LockId.random();
    Queued place = queued(wait(other, waiter));
    assertThat(queued(wait(other, waiter)).ticket()).isEqualTo(place.ticket());
    assertThat(release(store, holder)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(release(store, holder)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(keepWaiting(other, waiter)).containsExactly(PlaceState.GONE);
    assertThat(keepWaiting(other, waiter)).containsExactly(PlaceState.GONE);
    Granted confirmed = granted(wait(other, waiter));
    assertThat(granted(wait(other, waiter))).isEqualTo(confirmed);
    assertThat(release(other, waiter)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(release(other, waiter)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(2);
  }
}
