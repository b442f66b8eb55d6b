package io.syncguard.postgresql.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Locks that were never released are forgotten once no holder is owed an answer. */
class PostgresSweepingTest extends OnPostgres {

  private void storeExpiredLocks(int count) {
    sql.execute(
        "INSERT INTO syncguard_locks SELECT 'old ' || i, 'id ' || i, "
            + (NOW
                + " - 61000, 0, '000000000000001', 'k' FROM generate_series(1, "
                + count
                + ") i"));
    sql.execute("INSERT INTO syncguard_fence_counters SELECT 'fence:' || key FROM syncguard_locks");
  }

  private long count(String table) {
    return sql.number("SELECT count(*) FROM " + table);
  }

  @Test
  void allThatExpiredLongAgoGoHoweverManyAndTheirCountersStay() {
    storeExpiredLocks(2500);
    assertThat(sweep()).isEqualTo(2500);
    assertThat(count("syncguard_locks")).isZero();
    assertThat(count("syncguard_fence_counters")).isEqualTo(2500);
    assertThat(sweep()).isZero();
  }

  @Test
  void whatHasExpiredIsFoundByTheIndex() throws Exception {
    assertThat(planOf("lock/sweep", 1L, 10L, 1L, 10L)).contains("Index Cond: (expires_at_ms < ");
  }

  @Test
  void whatIsAliveOrExpiredLatelyStays() {
    storeLock("alive", LockId.random().value(), "000000000000001", Duration.ofMinutes(1));
    storeLock("lately", LockId.random().value(), "000000000000001", Duration.ofSeconds(-30));
    assertThat(sweep()).isZero();
    assertThat(count("syncguard_locks")).isEqualTo(2);
  }

  @Test
  void aLockedRowIsLeftAloneAndNotWaitedFor() throws Exception {
    storeExpiredLocks(3);
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, "SELECT 1 FROM syncguard_locks WHERE key = 'old 2' FOR UPDATE");
      assertThat(sweep()).isEqualTo(2);
    }
    assertThat(sql.value("SELECT key FROM syncguard_locks")).isEqualTo("old 2");
  }
}
