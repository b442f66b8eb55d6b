package io.syncguard.postgresql.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterResult.Counted;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.spi.Store;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.StoredLimitsSuite;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PostgresStoredLimitsTest extends OnPostgres implements StoredLimitsSuite {

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Sql sql() {
    return sql;
  }

  @Override
  public void storeLimiter(String name, long idleAtMs) {
    sql.execute(
        "INSERT INTO syncguard_rate_limiters VALUES (?, ?, ?)",
        name,
        idleAtMs * 1_000_000,
        idleAtMs);
  }

  @Test
  void aLimitersRowOutlivesItsUseAndIsNotIndexedAnewEachTime() {
    limiter().tryAcquire();
    long expiresAtMs = sql.number("SELECT expires_at_ms FROM syncguard_rate_limiters");
    long idleAtMs = sql.number("SELECT idle_at_ns / 1000000 FROM syncguard_rate_limiters");
    assertThat(expiresAtMs).isBetween(idleAtMs + 60_000, idleAtMs + 60_001);
    limiter().tryAcquire();
    assertThat(sql.number("SELECT expires_at_ms FROM syncguard_rate_limiters"))
        .isGreaterThanOrEqualTo(
            sql.number("SELECT idle_at_ns / 1000000 FROM syncguard_rate_limiters"));
  }

  @Test
  void theFirstOfTwoThatBeginAWindowAtTheSameTimeDecidesWhenItEnds() throws Exception {
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, "INSERT INTO syncguard_counters VALUES (?, 1, 9000000000000)", KEY);
      CompletableFuture<CounterResult> result =
          inBackground(() -> counters().increment(KEY, 5, TTL));
      awaitBlocked(1);
      other.commit();
      assertThat(result.get()).isInstanceOf(Counted.class);
      assertThat(((Counted) result.get()).count()).isEqualTo(2);
      assertThat(result.get().resetAt().toEpochMilli()).isEqualTo(9_000_000_000_000L);
    }
  }

  @Test
  void anIncrementOfAFullWindowWaitsForNoOther() throws Exception {
    counters().increment(KEY, 1, TTL);
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, "SELECT 1 FROM syncguard_counters FOR UPDATE");
      assertThat(counters().increment(KEY, 1, TTL).isCounted()).isFalse();
    }
  }
}
