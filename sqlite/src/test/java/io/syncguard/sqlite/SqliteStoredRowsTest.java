package io.syncguard.sqlite;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.sql.BareLocks;
import io.syncguard.testkit.sql.EveryOperation;
import io.syncguard.testkit.sql.Sql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the file, sound and damaged, and for how long. */
class SqliteStoredRowsTest {

  private static final String KEY = "caf\u00e9 'quoted' \"twice\" \\ :id ? {locks}";
  private static final String FENCE = "000000000000007";

  private final SqliteFixture fixture = new SqliteFixture();
  private final SqliteStore store = fixture.openClient();
  private final LockBackend locks = store.locks();
  private final Sql sql = Sql.on(fixture.file());
  private final LockId lockId = LockId.random();

  @AfterEach
  void close() {
    store.close();
    fixture.close();
  }

  private AcquireAttempt acquire(LockId id) {
    return BareLocks.acquire(locks, KEY, id);
  }

  private void storeLock(String id, String fence, Duration expiresIn) {
    long now = System.currentTimeMillis();
    sql.execute(
        "INSERT INTO syncguard_locks VALUES (?, ?, ?, ?, ?, ?)",
        KEY,
        id,
        now + expiresIn.toMillis(),
        now,
        fence,
        KEY);
  }

  private List<Map<String, Object>> everything() {
    List<Map<String, Object>> all = sql.rows("SELECT * FROM syncguard_locks");
    all.addAll(sql.rows("SELECT * FROM syncguard_fence_counters"));
    return all;
  }

  @Test
  void anAcquiredLockIsOneRowAndOneCounter() {
    Granted granted = (Granted) acquire(lockId);
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
                granted.expiresAt().minus(BareLocks.TTL).toEpochMilli(),
                "fence",
                "000000000000001",
                "user_key",
                KEY));
    assertThat(sql.rows("SELECT * FROM syncguard_fence_counters"))
        .containsExactly(Map.of("fence_key", "fence:" + KEY, "fence", 1, "key_debug", KEY));
  }

  @Test
  void anAttemptWhoseReplyWasLostFindsItsOwnLock() {
    AcquireAttempt first = acquire(lockId);
    List<Map<String, Object>> before = everything();
    assertThat(acquire(lockId)).isEqualTo(first);
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "00000000000007", "0000000000000007", "00000000000000x"})
  void aLiveLockWithADamagedFenceIsRefusedAndLeftAsItIs(String fence) {
    storeLock(lockId.value(), fence, Duration.ofMinutes(1));
    List<Map<String, Object>> before = everything();
    EveryOperation.thatRead(KEY, lockId)
        .values()
        .forEach(read -> assertFails(Code.INTERNAL, () -> ask(store, read)));
    assertFails(Code.INTERNAL, () -> acquire(lockId));
    assertFails(Code.INTERNAL, () -> acquire(LockId.random()));
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void aLiveLockWithADamagedIdIsRefusedAndLeftAsItIs() {
    storeLock("short", FENCE, Duration.ofMinutes(1));
    List<Map<String, Object>> before = everything();
    assertFails(Code.INTERNAL, () -> ask(store, new LockOperation.IsLocked(ResourceKey.of(KEY))));
    assertFails(Code.INTERNAL, () -> acquire(lockId));
    assertThat(everything()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(longs = {Fence.MAX, Fence.MAX + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aCounterThatIsUsedUpOrDamagedIsRefusedAndLeftAsItIs(long counter) {
    sql.execute(
        "INSERT INTO syncguard_fence_counters VALUES (?, ?, NULL)", "fence:" + KEY, counter);
    storeLock(lockId.value(), FENCE, Duration.ofSeconds(-2));
    List<Map<String, Object>> before = everything();
    assertFails(Code.INTERNAL, () -> acquire(LockId.random()));
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
    storeLock(lockId.value(), fence, Duration.ofSeconds(-2));
    if (counter != null) {
      sql.execute(
          "INSERT INTO syncguard_fence_counters VALUES (?, ?, NULL)", "fence:" + KEY, counter);
    }
    assertThat(((Granted) acquire(LockId.random())).fence()).isEqualTo(Fence.of(next));
    assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(next);
  }

  @ParameterizedTest
  @ValueSource(strings = {"900000000000000", "999999999999999"})
  void afterAnExpiredLockWithTheLastFenceThereIsNone(String fence) {
    storeLock(lockId.value(), fence, Duration.ofSeconds(-2));
    List<Map<String, Object>> before = everything();
    assertFails(Code.INTERNAL, () -> acquire(LockId.random()));
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void theLastFenceIsHandedOut() {
    sql.execute(
        "INSERT INTO syncguard_fence_counters VALUES (?, ?, NULL)", "fence:" + KEY, Fence.MAX - 1);
    assertThat(((Granted) acquire(lockId)).fence()).isEqualTo(Fence.of(Fence.MAX));
  }

  @Test
  void allThatExpiredLongAgoAreSweptAndTheirCountersStay() {
    sql.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)"
            + " INSERT INTO syncguard_locks SELECT 'old ' || i, 'id ' || i, 0, 0, '1', 'k' FROM n");
    sql.execute("INSERT INTO syncguard_fence_counters (fence_key) SELECT key FROM syncguard_locks");
    storeLock(lockId.value(), FENCE, Duration.ofSeconds(-30));
    assertThat(store.sweeper().sweep()).isEqualTo(2500);
    assertThat(sql.value("SELECT lock_id FROM syncguard_locks")).isEqualTo(lockId.value());
    assertThat(sql.number("SELECT count(*) FROM syncguard_fence_counters")).isEqualTo(2500);
  }
}
