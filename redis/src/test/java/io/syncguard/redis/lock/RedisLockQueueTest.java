package io.syncguard.redis.lock;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.redis.RedisOptions;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every store with a queue does for the waiters of a lock. */
class RedisLockQueueTest extends OnQueues {

  private static final Duration GRANT = Duration.ofSeconds(2);

  @Test
  void waitersAreServedInTheOrderInWhichTheyCame() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(b, "k");
    TestWaiter second = TestWaiter.queued(a, "k");
    TestWaiter third = TestWaiter.queued(b, "k");
    assertThat(queue()).containsExactly(first.id.value(), second.id.value(), third.id.value());
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(first.told().fence().toLong()).isEqualTo(2);
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(second.told().fence().toLong()).isEqualTo(3);
    assertThat(second.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(third.told().fence().toLong()).isEqualTo(4);
    assertThat(third.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(second.grants).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aGrantIsALockThatEndsSoonUnlessItIsConfirmed() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    Instant before = Instant.ofEpochMilli(contents.nowMs());
    holder.release();
    Granted grant = waiter.told();
    Instant after = Instant.ofEpochMilli(contents.nowMs());
    assertThat(grant.expiresAt()).isBetween(before.plus(GRANT), after.plus(GRANT));
    assertThat(ask(a, new LockOperation.FindById(waiter.id)))
        .hasValueSatisfying(
            lock -> {
              assertThat(lock.fence()).isEqualTo(grant.fence());
              assertThat(lock.expiresAt()).isEqualTo(grant.expiresAt());
            });
    assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.GONE);
  }

  @Test
  void askingAgainConfirmsAGrantOnce() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    holder.release();
    Granted grant = waiter.told();
    Instant before = Instant.ofEpochMilli(contents.nowMs());
    Granted confirmed = (Granted) waiter.await();
    assertThat(confirmed.fence()).isEqualTo(grant.fence());
    assertThat(confirmed.expiresAt()).isAfterOrEqualTo(before.plus(TTL));
    assertBothOutlive(confirmed.expiresAt(), LOCK, "syncguard:id:" + waiter.id.value());
    assertThat(waiter.await()).isEqualTo(confirmed);
    assertThat(waiter.attempt()).isEqualTo(confirmed);
    assertThat(waiter.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft();
  }

  @Test
  void extendingConfirmsAGrant() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    holder.release();
    Granted grant = waiter.told();
    Extended extended = (Extended) waiter.extend();
    assertThat(waiter.await()).isEqualTo(new Granted(grant.fence(), extended.expiresAt()));
  }

  @Test
  void aGrantThatIsNotConfirmedPassesOn() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter silent = TestWaiter.queued(a, "k");
    TestWaiter next = TestWaiter.queued(b, "k");
    holder.release();
    silent.told();
    expire(900);
    assertThat(next.keepWaiting()).isEqualTo(PlaceState.WAITING);
    expire(1001);
    assertThat(next.keepWaiting()).isEqualTo(PlaceState.GONE);
    assertThat(next.told().fence().toLong()).isEqualTo(3);
    assertThat(contents.all()).doesNotContainKey("syncguard:id:" + silent.id.value());
    assertThat(silent.extend().isExtended()).isFalse();
    assertThat(silent.release()).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft();
  }

  @Test
  void ticketsIncreaseAndAreKept() {
    TestWaiter.holder(a, "k");
    TestWaiter first = new TestWaiter(a, "k");
    TestWaiter second = new TestWaiter(b, "k");
    long ticket = first.join();
    assertThat(second.join()).isGreaterThan(ticket);
    assertThat(first.join()).isEqualTo(ticket);
    server.command("ZADD", QUEUE, "9000000000000000", "x".repeat(45));
    assertThat(TestWaiter.queued(a, "k").join()).isEqualTo(9_000_000_000_000_001L);
  }

  @Test
  void whatIsLeftIsTheRecords() {
    TestWaiter holder = new TestWaiter(a, "k");
    long expires = ((Granted) holder.attempt()).expiresAt().toEpochMilli();
    Queued queued = (Queued) new TestWaiter(b, "k").await();
    Held held = (Held) new TestWaiter(b, "k").attempt();
    long now = contents.nowMs();
    for (Duration left : List.of(queued.remaining(), held.remaining())) {
      assertThat(left.toMillis()).isBetween(expires + 1000 - now, 31_000L);
    }
  }

  @Test
  void neitherATryNorANewcomerOvertakes() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    expire(1001);
    TestWaiter newcomer = new TestWaiter(a, "k");
    assertThat(newcomer.attempt()).isInstanceOf(Held.class);
    assertThat(waiter.told().fence().toLong()).isEqualTo(2);
    expire(1001);
    assertThat(newcomer.await()).isInstanceOf(Granted.class);
    assertThat(holder.release()).isEqualTo(ReleaseResult.NOT_FOUND);
  }

  @Test
  void aNewcomerWhoFindsWaitersAndNoLockJoinsBehind() throws Exception {
    TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    expire(1001);
    TestWaiter newcomer = TestWaiter.queued(a, "k");
    assertThat(waiter.told().fence().toLong()).isEqualTo(2);
    assertThat(queue()).containsExactly(newcomer.id.value());
    assertThat(newcomer.grants).isEmpty();
  }

  @Test
  void theFirstTakesALockThatIsNotLiveWhenItAsks() {
    TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(b, "k");
    TestWaiter second = TestWaiter.queued(a, "k");
    expire(1001);
    Instant before = Instant.ofEpochMilli(contents.nowMs());
    assertThat(((Granted) first.attempt()).expiresAt()).isAfterOrEqualTo(before.plus(TTL));
    assertThat(queue()).containsExactly(second.id.value());
    expire(1001);
    assertThat(second.await()).isInstanceOf(Granted.class);
    assertThat(second.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft();
  }

  @Test
  void aLastTryLeavesTheQueue() {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    assertThat(waiter.attempt()).isInstanceOf(Held.class);
    assertThat(contents.all()).doesNotContainKey(QUEUE);
    assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.GONE);
    holder.release();
    assertNothingIsLeft();
  }

  @Test
  void aWaiterThatLeavesIsNotGranted() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter cancelled = TestWaiter.queued(b, "k");
    TestWaiter next = TestWaiter.queued(b, "k");
    assertThat(cancelled.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(cancelled.release()).isEqualTo(ReleaseResult.NOT_FOUND);
    holder.release();
    next.told();
    assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(cancelled.grants).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aWaiterThatLeavesAfterItsGrantPassesItOn() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter cancelled = TestWaiter.queued(b, "k");
    TestWaiter next = TestWaiter.queued(a, "k");
    holder.release();
    assertThat(cancelled.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(next.told().fence().toLong()).isEqualTo(3);
  }

  @Test
  void whoLeavesALockThatIsNotLiveHasTheNextGranted() throws Exception {
    TestWaiter.holder(a, "k");
    TestWaiter cancelled = TestWaiter.queued(b, "k");
    TestWaiter next = TestWaiter.queued(a, "k");
    expire(1001);
    assertThat(cancelled.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(next.told().fence().toLong()).isEqualTo(2);
  }

  @Test
  void aReleaseByTheLockIdAloneGrants() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    assertThat(ask(b, new LockOperation.Release(new LockReference(holder.id, null))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(waiter.told().fence().toLong()).isEqualTo(2);
  }

  @Test
  void aLateReleaseOfAnExpiredLockGrants() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(b, "k");
    expire(1001);
    assertThat(holder.release()).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(waiter.told().fence().toLong()).isEqualTo(2);
  }

  @Test
  void waitersOfADeadProcessAreSkipped() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter dead = TestWaiter.queued(a, "k");
    TestWaiter alive = TestWaiter.queued(b, "k");
    forgetTheLiving();
    assertThat(alive.keepWaiting()).isEqualTo(PlaceState.WAITING);
    assertThat(queue()).containsExactly(alive.id.value());
    assertThat(dead.join()).isGreaterThan(0);
    assertThat(queue()).containsExactly(alive.id.value(), dead.id.value());
    forgetTheLiving();
    alive.keepWaiting();
    ask(b, new LockOperation.Release(holder.reference()));
    alive.told();
    assertThat(alive.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(dead.grants).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aNewcomerGetsALockThatOnlyTheDeadWaitFor() {
    TestWaiter.holder(a, "k");
    TestWaiter.queued(a, "k");
    TestWaiter.queued(a, "k");
    forgetTheLiving();
    expire(1001);
    TestWaiter newcomer = TestWaiter.holder(b, "k");
    assertThat(newcomer.release()).isEqualTo(ReleaseResult.RELEASED);
    assertNothingIsLeft();
  }

  @Test
  void aReplyThatIsLostChangesNothingWhenTheStepIsRepeated() throws Exception {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = new TestWaiter(b, "k");
    TestWaiter next = new TestWaiter(a, "k");
    assertThat(waiter.join()).isEqualTo(waiter.join());
    next.join();
    holder.release();
    Granted grant = waiter.told();
    assertThat(holder.release()).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.GONE);
    assertThat(waiter.keepWaiting()).isEqualTo(PlaceState.GONE);
    AcquireAttempt confirmed = waiter.await();
    assertThat(waiter.await()).isEqualTo(confirmed);
    assertThat(((Granted) confirmed).fence()).isEqualTo(grant.fence());
    waiter.release();
    assertThat(waiter.release()).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(next.told().fence().toLong()).isEqualTo(grant.fence().toLong() + 1);
  }

  @Test
  void aSignOfLifeAnswersForManyKeysInTheirOrder() {
    List<TestWaiter> waiters =
        List.of(new TestWaiter(b, "k"), new TestWaiter(b, "l"), new TestWaiter(b, "m"));
    TestWaiter.holder(a, "k");
    TestWaiter.holder(a, "m");
    waiters.get(0).join();
    waiters.get(2).join();
    assertThat(
            ask(
                b,
                new LockOperation.KeepWaiting(
                    waiters.stream().map(TestWaiter::reference).toList())))
        .containsExactly(PlaceState.WAITING, PlaceState.GONE, PlaceState.WAITING);
    assertThat(ask(b, new LockOperation.KeepWaiting(List.of()))).isEmpty();
  }

  @Test
  void eachWaitersFenceIsCountedInItsOwnWay() throws Exception {
    var surviving =
        listening(RedisOptions.defaults().withFences(RedisOptions.Fences.SURVIVE_DATA_LOSS));
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter first = TestWaiter.queued(surviving, "k");
    TestWaiter second = TestWaiter.queued(b, "k");
    long before = contents.nowMs();
    holder.release();
    long fence = first.told().fence().toLong();
    assertThat(fence).isBetween(before, contents.nowMs());
    first.release();
    assertThat(second.told().fence().toLong()).isEqualTo(fence + 1);
    second.release();
    assertThat(contents.values()).containsEntry(COUNTER, Long.toString(fence + 1));
  }

  @Test
  void aWaiterOfTheReleasingProcessIsToldByTheAnswer() {
    TestWaiter holder = TestWaiter.holder(a, "k");
    TestWaiter waiter = TestWaiter.queued(a, "k");
    long published = calls("publish");
    Map<String, String> before = contents.values();
    assertThat(holder.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(waiter.grants).hasSize(1);
    assertThat(waiter.grants.remove().fence().toLong()).isEqualTo(2);
    assertThat(calls("publish")).isEqualTo(published);
    assertThat(contents.values()).isNotEqualTo(before);
  }
}
