package io.syncguard.sqlite;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.Fence;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.sqlite.QueueClient.Told;
import io.syncguard.testkit.sql.BareLocks;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a grant is, how it is confirmed, and who is told. */
class SqliteGrantTest extends TwoProcesses {

  @Test
  void aGrantThatIsNotConfirmedPassesOn() {
    holdWithFirstAndSecondWaiting();
    client.release(holder);
    liveThrough(QueueTimes.GRANT.plus(TOLERANCE).plusMillis(1), client);
    assertThat(client.keepWaiting(second)).containsExactly(PlaceState.GONE);
    assertThat(client.holder()).isEqualTo(second);
    assertThat(fence()).isEqualTo(3);
    assertThat(other.extend(first)).isEqualTo(ExtendResult.NotExtended.NOT_FOUND);
    assertThat(other.release(first)).isEqualTo(ReleaseResult.NOT_FOUND);
  }

  @Test
  void aWaiterThatMissedItsGrantJoinsAgainAndIsGrantedAgain() {
    client.take(holder);
    other.join(first);
    client.release(holder);
    client.join(second);
    liveThrough(QueueTimes.GRANT.plus(TOLERANCE).plusMillis(1), client);
    assertThat(other.ask(first, true)).isInstanceOf(Queued.class);
    assertThat(client.holder()).isEqualTo(second);
    client.release(second);
    assertThat(client.holder()).isEqualTo(first);
    assertThat(fence()).isEqualTo(4);
  }

  @Test
  void aGrantIsConfirmedByExtending() {
    holdWithFirstAndSecondWaiting();
    client.release(holder);
    assertThat(other.extend(first)).isInstanceOf(ExtendResult.Extended.class);
    liveThrough(QueueTimes.GRANT.plus(TOLERANCE).plusMillis(1), client);
    assertThat(client.keepWaiting(second)).containsExactly(PlaceState.WAITING);
    assertThat(client.holder()).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aGrantIsConfirmedByAskingAgainAndKeepsItsFence(boolean waits) {
    holdWithFirstAndSecondWaiting();
    client.release(holder);
    fixture.time().advance(Duration.ofSeconds(1));
    Granted confirmed = (Granted) other.ask(first, waits);
    assertThat(confirmed.fence()).isEqualTo(Fence.of(2));
    assertThat(confirmed.expiresAt().toEpochMilli())
        .isEqualTo(sql.number("SELECT expires_at_ms FROM syncguard_locks"));
    assertThat(lifeOfTheLock()).isGreaterThanOrEqualTo(BareLocks.TTL.plusSeconds(1));
    assertThat(other.ask(first, waits)).isEqualTo(confirmed);
  }

  /** As if the replies to all of it were lost. */
  @Test
  void everyStepMayBeRepeated() {
    client.take(holder);
    assertThat(other.join(first)).isEqualTo(other.join(first));
    assertThat(client.release(holder)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(client.release(holder)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(other.ask(first, true)).isEqualTo(other.ask(first, true));
    assertThat(other.release(first)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(other.release(first)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(rowsOfTheQueue()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Fence.MAX, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aReleaseThatCannotGrantReleasesAllTheSame(long counter) {
    holdWithFirstAndSecondWaiting();
    sql.execute("UPDATE syncguard_fence_counters SET fence = ?", counter);
    assertThat(client.release(holder)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(client.isLocked()).isFalse();
    assertThat(client.keepWaiting(second)).containsExactly(PlaceState.WAITING);
    assertFails(Code.INTERNAL, () -> other.ask(first, true));
    assertThat(other.release(first)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(client.release(second)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(rowsOfTheQueue()).isZero();
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(counter);
  }

  @Test
  void aGrantsFenceIsGreaterThanThatOfTheLockItFollowsAlsoIfTheCounterIsLost() {
    holdWithFirstAndSecondWaiting();
    sql.execute("UPDATE syncguard_locks SET fence = '000000000000041'");
    sql.execute("DELETE FROM syncguard_fence_counters");
    client.release(holder);
    assertThat(fence()).isEqualTo(42);
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(42);
  }

  @Test
  void aWaiterOfAnotherProcessIsToldOfItsGrant() throws Exception {
    Told told = new Told();
    other.watch(first, told);
    holdWithFirstAndSecondWaiting();
    client.release(holder);
    eventually(() -> assertThat(told.grants()).isNotEmpty());
    assertThat(told.grants().peek().fence()).isEqualTo(Fence.of(2));
    assertThat(told.grants().peek().expiresAt().toEpochMilli())
        .isEqualTo(sql.number("SELECT expires_at_ms FROM syncguard_locks"));
  }

  @Test
  void aWaiterOfTheSameProcessIsToldBeforeTheReleaseReturns() {
    Told told = new Told();
    client.watch(second, told);
    client.take(holder);
    client.join(second);
    client.release(holder);
    assertThat(told.grants()).isNotEmpty();
  }

  @Test
  void onlyTheFirstIsToldToLookWhenARowIsDeletedByHand() throws Exception {
    Told toldFirst = new Told();
    Told toldSecond = new Told();
    other.watch(first, toldFirst);
    client.watch(second, toldSecond);
    holdWithFirstAndSecondWaiting();
    sql.execute("DELETE FROM syncguard_locks");
    eventually(() -> assertThat(toldFirst.looks()).hasPositiveValue());
    assertThat(toldSecond.looks()).hasValue(0);
    assertThat(other.take(first).fence()).isEqualTo(Fence.of(2));
  }

  @Test
  void thatAWaiterLeavesIsNoGrantToTheHolderThatHadExpired() {
    Told told = new Told();
    client.watch(holder, told);
    client.take(holder);
    client.join(first);
    liveThrough(BareLocks.TTL.plus(TOLERANCE), client);
    client.release(first);
    assertThat(told.grants()).isEmpty();
  }
}
