package io.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.sql.BareLocks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whose waiters count, and what a heartbeat does. */
class SqliteQueueLivenessTest extends TwoProcesses {

  @Test
  void waitersOfADeadProcessArePassedOver() {
    client.take(holder);
    for (int i = 0; i < 50; i++) {
      other.join(LockId.random());
    }
    client.join(second);
    liveThrough(QueueTimes.ALIVE.plusMillis(1), client);
    client.release(holder);
    assertThat(client.holder()).isEqualTo(second);
    assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isZero();
    assertThat(other.keepWaiting(first)).containsExactly(PlaceState.GONE);
  }

  @Test
  void ifAllWhoWaitAreDeadTheLockIsANewcomersAndTheirPlacesAreGone() {
    client.take(holder);
    other.join(first);
    other.join(second);
    fixture.time().advance(QueueTimes.ALIVE.plusMillis(1));
    client.release(holder);
    assertThat(client.isLocked()).isFalse();
    assertThat(client.take(LockId.random()).fence()).isEqualTo(Fence.of(2));
    assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isZero();
  }

  @Test
  void aProcessThatWasPausedKeepsItsPlacesAsLongAsTheLockIsHeld() {
    client.take(holder);
    other.join(first);
    fixture.time().advance(QueueTimes.ALIVE.multipliedBy(3));
    assertThat(other.keepWaiting(first)).containsExactly(PlaceState.WAITING);
    client.release(holder);
    assertThat(client.holder()).isEqualTo(first);
  }

  @Test
  void deadProcessesAreSweptAndTheirPlaces() {
    client.take(holder);
    other.join(first);
    assertThat(store.sweeper().sweep()).isZero();
    fixture.time().advance(Duration.ofMinutes(2));
    client.join(second);
    store.sweeper().sweep();
    assertThat(sql.value("SELECT lock_id FROM syncguard_waiters")).isEqualTo(second.value());
    assertThat(rowsOfTheQueue()).isEqualTo(2);
  }

  @Test
  void whatADeadProcessLeftIsSweptByTheNextThatOpensTheFile() {
    client.take(holder);
    other.join(first);
    fixture.time().advance(Duration.ofMinutes(2));
    fixture.openClient().close();
    assertThat(rowsOfTheQueue()).isZero();
  }

  @Test
  void aHeartbeatGrantsWhatIsFreeAndTellsWhoStillWaits() {
    holdWithFirstAndSecondWaiting();
    assertThat(client.keepWaiting(second, first, LockId.random()))
        .containsExactly(PlaceState.WAITING, PlaceState.WAITING, PlaceState.GONE);
    liveThrough(BareLocks.TTL.plus(TOLERANCE), client, other);
    assertThat(client.keepWaiting(second)).containsExactly(PlaceState.WAITING);
    assertThat(client.holder()).isEqualTo(first);
    assertThat(other.keepWaiting(first)).containsExactly(PlaceState.GONE);
  }

  @Test
  void aHeartbeatOfAProcessWithoutWaitersLeavesNothing() {
    assertThat(client.keepWaiting()).isEmpty();
    assertThat(rowsOfTheQueue()).isZero();
  }

  @Test
  void aHeartbeatWritesOnlyAfterAGoodPartOfItsTime() {
    holdWithFirstAndSecondWaiting();
    long until = aliveUntil();
    fixture.time().advance(QueueTimes.ALIVE.dividedBy(7));
    client.keepWaiting(second);
    assertThat(aliveUntil()).isEqualTo(until);
    fixture.time().advance(QueueTimes.ALIVE.dividedBy(7));
    client.keepWaiting(second);
    assertThat(aliveUntil()).isGreaterThan(until);
  }

  private long aliveUntil() {
    return sql.number("SELECT max(alive_until_ms) FROM syncguard_processes");
  }
}
