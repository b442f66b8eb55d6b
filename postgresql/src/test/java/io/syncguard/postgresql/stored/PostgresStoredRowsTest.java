package io.syncguard.postgresql.stored;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.sql.EveryOperation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored is what clients in other languages read, and the other way round. */
class PostgresStoredRowsTest extends OnPostgres {

  private static final String KEY = "caf\u00e9 \ud83d\ude00 'quoted' \"twice\" \\ %s :id ? {locks}";
  private static final String FENCE = "000000000000007";

  private final LockId lockId = LockId.random();

  private List<Map<String, Object>> everything() {
    List<Map<String, Object>> all = sql.rows("SELECT * FROM syncguard_locks ORDER BY key");
    all.addAll(sql.rows("SELECT * FROM syncguard_fence_counters ORDER BY fence_key"));
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "syncguard_locks, 'key text, lock_id text, expires_at_ms bigint, acquired_at_ms bigint,"
        + " fence text, user_key text'",
    "syncguard_fence_counters, 'fence_key text, fence bigint, key_debug text'"
  })
  void theTablesHaveTheColumnsThatAllClientsAgreeOn(String table, String columns) {
    assertThat(
            sql.value(
                "SELECT string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position)"
                    + " FROM information_schema.columns WHERE table_name = ?",
                table))
        .isEqualTo(columns);
  }

  @Test
  void anAcquiredLockIsOneRowAndOneCounter() {
    Granted granted = (Granted) acquire(KEY, lockId);
    assertThat(sql.rows("SELECT * FROM syncguard_locks"))
        .containsExactly(
            Map.of(
                "key",
                KEY,
                "lock_id",
                lockId.value(),
                "expires_at_ms",
                granted.expiresAt().toEpochMilli(),
                "acquired_at_ms",
                granted.expiresAt().toEpochMilli() - TTL.toMillis(),
                "fence",
                "000000000000001",
                "user_key",
                KEY));
    assertThat(sql.rows("SELECT * FROM syncguard_fence_counters"))
        .containsExactly(Map.of("fence_key", "fence:" + KEY, "fence", 1L, "key_debug", KEY));
  }

  @Test
  void aReleasedLockLeavesItsCounterAndNothingElse() {
    acquire(KEY, lockId);
    ask(new LockOperation.Release(new LockReference(lockId, null)));
    assertThat(everything()).hasSize(1);
    assertThat(((Granted) acquire(KEY, lockId)).fence()).isEqualTo(Fence.of(2));
  }

  @Test
  void aLockThatAnotherClientStoredIsReadExtendedAndReleased() {
    storeLock(KEY, lockId.value(), FENCE, Duration.ofMinutes(1));
    ResourceKey resource = ResourceKey.of(KEY);
    assertThat(ask(new LockOperation.IsLocked(resource))).isTrue();
    RawLockInfo info = ask(new LockOperation.FindByKey(resource)).orElseThrow();
    assertThat(info.key()).isEqualTo(KEY);
    assertThat(info.lockId()).isEqualTo(lockId);
    assertThat(info.fence()).isEqualTo(Fence.of(7));
    assertThat(ask(new LockOperation.FindById(lockId))).contains(info);
    assertThat(acquire(KEY, LockId.random())).isInstanceOf(Held.class);

    LockReference lock = new LockReference(lockId, null);
    assertThat(ask(new LockOperation.Extend(lock, TTL)).isExtended()).isTrue();
    assertThat(ask(new LockOperation.FindById(lockId)).orElseThrow().expiresAt())
        .isAfter(info.expiresAt());
    assertThat(ask(new LockOperation.Release(lock))).isEqualTo(ReleaseResult.RELEASED);
    assertThat(sql.rows("SELECT 1 FROM syncguard_locks")).isEmpty();
  }

  @Test
  void aCounterThatAnotherClientStoredIsCountedOn() {
    sql.execute("INSERT INTO syncguard_fence_counters VALUES (?, 41, NULL)", "fence:" + KEY);
    assertThat(((Granted) acquire(KEY, lockId)).fence()).isEqualTo(Fence.of(42));
  }

  @Test
  void anAttemptWhoseReplyWasLostFindsItsOwnLock() {
    Granted first = (Granted) acquire(KEY, lockId);
    List<Map<String, Object>> before = everything();
    assertThat(acquire(KEY, lockId)).isEqualTo(first);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void anIdThatIsInUseForAnotherKeyIsRefused() {
    acquire(KEY, lockId);
    List<Map<String, Object>> before = everything();
    assertThat(assertFails(Code.INVALID_ARGUMENT, () -> acquire("another", lockId)))
        .hasStackTraceContaining("23505")
        .satisfies(e -> assertThat(e.isOutcomeUnknown()).isFalse());
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "00000000000007", "0000000000000007", "00000000000000x"})
  void aLiveLockWithADamagedFenceIsRefusedAndLeftAsItIs(String fence) {
    storeLock(KEY, lockId.value(), fence, Duration.ofMinutes(1));
    List<Map<String, Object>> before = everything();
    EveryOperation.thatRead(KEY, lockId)
        .values()
        .forEach(read -> assertFails(Code.INTERNAL, () -> ask(read)));
    assertFails(Code.INTERNAL, () -> acquire(KEY, lockId));
    assertFails(Code.INTERNAL, () -> acquire(KEY, LockId.random()));
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "22 characters but not !"})
  void aLiveLockWithADamagedIdIsRefusedAndLeftAsItIs(String id) {
    storeLock(KEY, id, FENCE, Duration.ofMinutes(1));
    List<Map<String, Object>> before = everything();
    ResourceKey resource = ResourceKey.of(KEY);
    assertFails(Code.INTERNAL, () -> ask(new LockOperation.IsLocked(resource)));
    assertFails(Code.INTERNAL, () -> ask(new LockOperation.FindByKey(resource)));
    assertFails(Code.INTERNAL, () -> acquire(KEY, LockId.random()));
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(longs = {Fence.MAX, Fence.MAX + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aCounterThatIsUsedUpOrDamagedIsRefusedAndLeftAsItIs(long counter) {
    sql.execute(
        "INSERT INTO syncguard_fence_counters VALUES (?, ?, NULL)", "fence:" + KEY, counter);
    List<Map<String, Object>> before = everything();
    assertFails(Code.INTERNAL, () -> acquire(KEY, lockId));
    assertThat(everything()).isEqualTo(before);

    storeLock(KEY, lockId.value(), FENCE, Duration.ofSeconds(-2));
    before = everything();
    assertFails(Code.INTERNAL, () -> acquire(KEY, LockId.random()));
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "000000000000041, none, 42",
        "000000000000041, 7, 42",
        "000000000000041, 41, 42",
        "000000000000041, 50, 51",
        "899999999999999, none, 900000000000000",
        "41, 7, 8",
        "00000000000004x, none, 1"
      })
  void theNextFenceIsGreaterThanTheCounterAndTheExpiredLocksOwn(
      String fence, @Nullable Long counter, long next) {
    storeLock(KEY, lockId.value(), fence, Duration.ofSeconds(-2));
    if (counter != null) {
      sql.execute(
          "INSERT INTO syncguard_fence_counters VALUES (?, ?, NULL)", "fence:" + KEY, counter);
    }
    assertThat(((Granted) acquire(KEY, LockId.random())).fence()).isEqualTo(Fence.of(next));
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(next);
  }

  @ParameterizedTest
  @ValueSource(strings = {"900000000000000", "999999999999999"})
  void afterAnExpiredLockWithTheLastFenceThereIsNone(String fence) {
    storeLock(KEY, lockId.value(), fence, Duration.ofSeconds(-2));
    List<Map<String, Object>> before = everything();
    assertFails(Code.INTERNAL, () -> acquire(KEY, LockId.random()));
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void theLastFenceIsHandedOut() {
    sql.execute(
        "INSERT INTO syncguard_fence_counters VALUES (?, ?, NULL)", "fence:" + KEY, Fence.MAX - 1);
    assertThat(((Granted) acquire(KEY, lockId)).fence()).isEqualTo(Fence.of(Fence.MAX));
    assertThat(sql.value("SELECT fence FROM syncguard_locks")).isEqualTo("900000000000000");
  }
}
