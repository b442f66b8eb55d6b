package io.syncguard.postgresql.concurrency;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.counter.CounterResult;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The clock is read once the row is locked: what it said before the wait for it is too old. */
class PostgresClockTest extends OnPostgres {

  private static final String KEY = "k";
  private static final String FENCE = "000000000000007";

  private Connection lockRow(String table) throws Exception {
    Connection blocking = sql.begin();
    Sql.rowsOn(blocking, "SELECT * FROM " + table + " WHERE key = ? FOR UPDATE", KEY);
    return blocking;
  }

  private long now() {
    return sql.number("SELECT " + NOW);
  }

  private void awaitTime(long ms) throws InterruptedException {
    eventually(() -> assertThat(now()).isGreaterThan(ms));
  }

  @Test
  void anExtensionThatWaitsForTheRowBeyondTheExpiryIsRefused() throws Exception {
    LockId lockId = LockId.random();
    storeLock(KEY, lockId.value(), FENCE, Duration.ofSeconds(1));
    long expiresAt = sql.number("SELECT expires_at_ms FROM syncguard_locks");
    try (Connection blocking = lockRow("syncguard_locks")) {
      CompletableFuture<ExtendResult> extending =
          inBackground(() -> ask(new LockOperation.Extend(new LockReference(lockId, null), TTL)));
      awaitBlocked(1);
      awaitTime(expiresAt + 1000);
      blocking.commit();
      assertThat(join(extending)).isEqualTo(ExtendResult.NotExtended.EXPIRED);
    }
    assertThat(sql.number("SELECT expires_at_ms FROM syncguard_locks")).isEqualTo(expiresAt);
  }

  @Test
  void anAcquisitionThatWaitsForAnExpiredRowLivesForItsWholeTime() throws Exception {
    storeLock(KEY, LockId.random().value(), FENCE, Duration.ofSeconds(-5));
    try (Connection blocking = lockRow("syncguard_locks")) {
      CompletableFuture<AcquireAttempt> acquiring =
          inBackground(() -> acquire(KEY, LockId.random()));
      awaitBlocked(1);
      awaitTime(now() + 1000);
      long committedAt = now();
      blocking.commit();
      assertThat(join(acquiring)).isInstanceOf(AcquireAttempt.Granted.class);
      assertThat(sql.number("SELECT expires_at_ms FROM syncguard_locks"))
          .isGreaterThanOrEqualTo(committedAt + TTL.toMillis());
    }
  }

  @Test
  void anIncrementThatWaitsForAnEndedWindowBeginsItWhenTheRowIsFree() throws Exception {
    sql.execute(
        "INSERT INTO syncguard_counters (key, count, resets_at_ms) VALUES (?, 3, ? - 1)",
        KEY,
        now());
    try (Connection blocking = lockRow("syncguard_counters")) {
      CompletableFuture<CounterResult> counting =
          inBackground(() -> SyncGuard.over(store).counters().increment(KEY, 5, TTL));
      awaitBlocked(1);
      awaitTime(now() + 1000);
      long committedAt = now();
      blocking.commit();
      join(counting);
      assertThat(sql.rows("SELECT count FROM syncguard_counters"))
          .extracting(row -> row.get("count"))
          .containsExactly(1L);
      assertThat(sql.number("SELECT resets_at_ms FROM syncguard_counters"))
          .isGreaterThanOrEqualTo(committedAt + TTL.toMillis());
    }
  }
}
