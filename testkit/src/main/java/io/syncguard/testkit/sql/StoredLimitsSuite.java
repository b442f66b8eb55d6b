package io.syncguard.testkit.sql;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterResult.Counted;
import io.syncguard.counter.CounterState;
import io.syncguard.counter.Counters;
import io.syncguard.limit.RateDecision.Limited;
import io.syncguard.limit.RateLimiter;
import io.syncguard.spi.Store;
import io.syncguard.testkit.fault.DecoratedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a database holds of counters and rate limiters, and what becomes of strange ones. */
public interface StoredLimitsSuite {

  String KEY = "caf\u00e9 'quoted' \"twice\" \\ :id ? {counters}";

  Store store();

  Sql sql();

  long sweep();

  @BeforeEach
  default void removeAllLimits() {
    sql().execute("DELETE FROM syncguard_counters");
    sql().execute("DELETE FROM syncguard_rate_limiters");
  }

  /** Returns a guard over the store, which outlives it. */
  private SyncGuard guard() {
    return SyncGuard.over(DecoratedStore.keptOpen(store()));
  }

  default Counters counters() {
    return guard().counters();
  }

  default RateLimiter limiter() {
    return guard().rateLimiter(KEY, 1, Duration.ofMinutes(1), 2);
  }

  private CounterResult increment(long max) {
    return counters().increment(KEY, max, BareLocks.TTL);
  }

  private List<Map<String, Object>> countersRows() {
    return sql().rows("SELECT * FROM syncguard_counters");
  }

  private List<Map<String, Object>> limitersRows() {
    return sql().rows("SELECT * FROM syncguard_rate_limiters");
  }

  @Test
  default void aCounterIsARowThatKnowsItsEnd() {
    Instant end = increment(5).resetAt();
    increment(5);
    assertThat(countersRows())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsOnlyKeys("key", "count", "resets_at_ms");
              assertThat(row).containsEntry("key", KEY);
              assertThat(row.get("count")).hasToString("2");
              assertThat(row).containsEntry("resets_at_ms", end.toEpochMilli());
            });
    assertThat(counters().reset(KEY)).isTrue();
    assertThat(countersRows()).isEmpty();
  }

  @Test
  default void aCounterFoundWithoutAnEndGetsOne() {
    sql().execute("INSERT INTO syncguard_counters VALUES (?, 5, NULL)", KEY);
    assertThat(counters().current(KEY)).contains(new CounterState(5, Instant.MAX));
    CounterResult result = increment(10);
    assertThat(result).isEqualTo(new Counted(6, 4, result.resetAt()));
    assertThat(result.resetAt()).isBefore(Instant.MAX);
    assertThat(increment(10)).isEqualTo(new Counted(7, 3, result.resetAt()));
  }

  @Test
  default void aFullCounterFoundWithoutAnEndGetsOneToo() {
    sql().execute("INSERT INTO syncguard_counters VALUES (?, 10, NULL)", KEY);
    CounterResult result = increment(10);
    assertThat(result.isCounted()).isFalse();
    assertThat(counters().current(KEY)).contains(new CounterState(10, result.resetAt()));
    assertThat(counters().increment(KEY, 10, Duration.ofDays(1))).isEqualTo(result);
  }

  @Test
  default void aWindowThatIsOverIsBegunAnew() {
    sql().execute("INSERT INTO syncguard_counters VALUES (?, 10, 1)", KEY);
    assertThat(counters().current(KEY)).isEmpty();
    CounterResult result = increment(10);
    assertThat(result).isEqualTo(new Counted(1, 9, result.resetAt()));
    assertThat(counters().current(KEY)).contains(new CounterState(1, result.resetAt()));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE})
  default void aDamagedCounterIsRefusedAndStaysAsItIs(long count) {
    sql().execute("INSERT INTO syncguard_counters VALUES (?, ?, NULL)", KEY, count);
    List<Map<String, Object>> before = countersRows();
    assertFails(Code.INTERNAL, () -> increment(10));
    assertFails(Code.INTERNAL, () -> counters().current(KEY));
    assertThat(countersRows()).isEqualTo(before);
    assertThat(counters().reset(KEY)).isTrue();
  }

  @Test
  default void aRefusalWritesNothing() {
    limiter().tryAcquire(2);
    increment(1);
    List<Map<String, Object>> limiters = limitersRows();
    List<Map<String, Object>> counters = countersRows();
    assertThat(limiter().tryAcquire().isAllowed()).isFalse();
    assertThat(increment(1).isCounted()).isFalse();
    assertThat(limitersRows()).isEqualTo(limiters).hasSize(1);
    assertThat(countersRows()).isEqualTo(counters).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 62, Long.MAX_VALUE})
  default void aLimiterFarAheadOfTheClockHasNoCallerWaitForMoreThanTheBurst(long idleAtNs) {
    limiter().tryAcquire();
    sql().execute("UPDATE syncguard_rate_limiters SET idle_at_ns = ?", idleAtNs);
    assertThat(limiter().tryAcquire()).isEqualTo(new Limited(Duration.ofMinutes(1)));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  default void aLimiterThatWasIdleForLongAllowsOneBurst(long idleAtNs) {
    limiter().tryAcquire();
    sql().execute("UPDATE syncguard_rate_limiters SET idle_at_ns = ?", idleAtNs);
    assertThat(limiter().tryAcquire(2).isAllowed()).isTrue();
    assertThat(limiter().tryAcquire().isAllowed()).isFalse();
  }

  @Test
  default void whatIsOverIsSweptAndTheRestStays() {
    sql()
        .execute(
            "INSERT INTO syncguard_counters"
                + " VALUES ('over', 10, 1), ('endless', 3, NULL), ('counting', 1, 9000000000000)");
    storeLimiter("idle", 1);
    storeLimiter("busy", 9_000_000_000_000L);
    assertThat(sweep()).isEqualTo(2);
    assertThat(countersRows())
        .extracting(row -> row.get("key"))
        .containsOnly("endless", "counting");
    assertThat(limitersRows()).extracting(row -> row.get("name")).containsOnly("busy");
  }

  /** Stores a limiter as another program does, so that no store begins to sweep by itself. */
  void storeLimiter(String name, long idleAtMs);
}
