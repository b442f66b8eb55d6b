package io.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.testkit.sql.BareLocks;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a lock that several wait for, and what is left of their queue. */
class SqliteLockQueueTest extends TwoProcesses {

  @Test
  void aReleaseGrantsToTheFirstWithTheNextFence() {
    holdWithFirstAndSecondWaiting();
    assertThat(client.release(holder)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(client.holder()).isEqualTo(first);
    assertThat(fence()).isEqualTo(2);
    assertThat(lifeOfTheLock()).isEqualTo(QueueTimes.GRANT);
    assertThat(sql.value("SELECT user_key FROM syncguard_locks")).isEqualTo(KEY);
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(2);
    assertThat(other.release(first)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(client.holder()).isEqualTo(second);
    assertThat(fence()).isEqualTo(3);
  }

  @Test
  void nothingIsLeftOfAQueueAfterItsLastWaiter() {
    holdWithFirstAndSecondWaiting();
    assertThat(rowsOfTheQueue()).isEqualTo(4);
    client.release(holder);
    other.release(first);
    client.release(second);
    assertThat(rowsOfTheQueue()).isZero();
    assertThat(client.isLocked()).isFalse();
  }

  @Test
  void aReleaseByIdAloneGrantsToo() {
    holdWithFirstAndSecondWaiting();
    BareLocks.release(store.locks(), holder);
    assertThat(client.holder()).isEqualTo(first);
  }

  @Test
  void placesAreKeptAndTicketsIncrease() {
    client.take(holder);
    long ticket = client.join(first);
    assertThat(other.join(second)).isGreaterThan(ticket);
    assertThat(client.join(first)).isEqualTo(ticket);
  }

  @Test
  void ticketsIncreaseEvenIfTheClockWasSetBack() {
    client.take(holder);
    long ticket = client.join(first);
    sql.execute("UPDATE syncguard_waiters SET ticket = ticket + 3600000000");
    assertThat(client.join(second)).isEqualTo(ticket + 3600000001L);
  }

  @Test
  void theTimeThatRemainsIsThatOfTheLock() {
    client.take(holder);
    Duration remaining = ((Queued) other.ask(first, true)).remaining();
    assertThat(remaining)
        .isBetween(BareLocks.TTL, BareLocks.TTL.plus(TOLERANCE))
        .isGreaterThan(BareLocks.TTL);
  }

  @Test
  void anExpiredLockGoesToTheFirstAndNeitherTryLockNorANewcomerOvertakes() {
    holdWithFirstAndSecondWaiting();
    liveThrough(BareLocks.TTL.plus(TOLERANCE), client, other);
    assertThat(client.isRefused(LockId.random())).isTrue();
    assertThat(client.holder()).isEqualTo(first);

    other.release(first);
    assertThat(client.holder()).isEqualTo(second);
    liveThrough(QueueTimes.GRANT.plus(TOLERANCE), client);
    assertThat(other.ask(first, true)).isInstanceOf(Granted.class);
  }

  @Test
  void aNewcomerJoinsBehindThoseWhoWait() {
    holdWithFirstAndSecondWaiting();
    liveThrough(BareLocks.TTL.plus(TOLERANCE), client, other);
    LockId third = LockId.random();
    assertThat(client.ask(third, true)).isInstanceOf(Queued.class);
    assertThat(client.holder()).isEqualTo(first);
    other.release(first);
    client.release(second);
    assertThat(client.holder()).isEqualTo(third);
  }

  @Test
  void theFirstTakesAFreeLockByAskingForItsWholeTtl() {
    holdWithFirstAndSecondWaiting();
    liveThrough(BareLocks.TTL.plus(TOLERANCE), client, other);
    other.take(first);
    assertThat(lifeOfTheLock()).isEqualTo(BareLocks.TTL);
    assertThat(client.keepWaiting(second)).containsExactly(PlaceState.WAITING);
  }

  @Test
  void anAttemptThatDoesNotWaitGivesUpItsPlace() {
    holdWithFirstAndSecondWaiting();
    assertThat(other.isRefused(first)).isTrue();
    assertThat(other.keepWaiting(first)).containsExactly(PlaceState.GONE);
    client.release(holder);
    assertThat(client.holder()).isEqualTo(second);
  }

  @Test
  void aWaiterLeavesByReleasing() {
    holdWithFirstAndSecondWaiting();
    assertThat(other.release(first)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(other.release(first)).isEqualTo(ReleaseResult.NOT_FOUND);
    assertThat(client.holder()).isEqualTo(holder);
    client.release(holder);
    assertThat(client.holder()).isEqualTo(second);
  }

  @Test
  void aWaiterThatLeavesAFreeLockPassesItOn() {
    holdWithFirstAndSecondWaiting();
    liveThrough(BareLocks.TTL.plus(TOLERANCE), client, other);
    assertThat(other.release(first)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(client.holder()).isEqualTo(second);
  }

  /** SQLite must find each row by an index, and must not sort. */
  @ParameterizedTest
  @ValueSource(
      strings = {"acquire", "release", "extend", "keep_waiting", "granted", "freed", "find_by_key"})
  void noStepReadsAWholeTable(String step) {
    for (Optional<SqlScript> script =
            Optional.of(SqliteStore.files().read("lock/" + step, SqlScript.Effect.READ));
        script.isPresent();
        script = script.get().otherwise()) {
      for (SqlScript.Statement statement : script.get().statements()) {
        assertThat(sql.rows("EXPLAIN QUERY PLAN " + statement.sql()))
            .as(statement.sql())
            .extracting(row -> row.get("detail").toString())
            .allSatisfy(
                detail ->
                    assertThat(detail)
                        .doesNotMatch("SCAN (?!.* VIRTUAL )(syncguard.*|dead|[a-z])( .*)?"));
      }
    }
  }

  @Test
  void tenThousandWaitersAreServedInOrder() {
    client.take(holder);
    other.join(first);
    sql.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
            + " INSERT INTO syncguard_waiters SELECT w.key, w.ticket + i, 'id ' || i, w.process"
            + " FROM syncguard_waiters w, n");
    client.join(second);
    assertThat(client.release(holder)).isEqualTo(ReleaseResult.RELEASED);
    assertThat(other.release(first)).isEqualTo(ReleaseResult.RELEASED);
    for (int i = 1; i <= 100; i++) {
      assertThat(sql.value("SELECT lock_id FROM syncguard_locks")).isEqualTo("id " + i);
      liveThrough(QueueTimes.GRANT.plus(TOLERANCE), client, other);
      client.keepWaiting(second);
    }
  }
}
