package io.syncguard.postgresql;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.sql.EveryOperation;
import io.syncguard.testkit.sql.Permits;
import io.syncguard.testkit.sql.Sql;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are there, not there, and there in part. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresSchemaTest {

  private static final String TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";

  private final PostgresDatabase database = PostgresDatabase.create(18);
  private final Sql sql = Sql.on(database);

  @AfterEach
  void drop() {
    database.close();
  }

  private static void assertWorks(PostgresStore store) {
    LockId lockId = LockId.random();
    assertThat(OnPostgres.acquire(store.locks(), "k", lockId)).isInstanceOf(Granted.class);
    assertThat(ask(store, new LockOperation.Release(new LockReference(lockId, null))))
        .isEqualTo(ReleaseResult.RELEASED);
    PermitReference permit = newPermit("s");
    assertThat(Permits.ask(store.semaphores(), permit, 1)).isInstanceOf(PermitAttempt.Held.class);
    assertThat(ask(store, new SemaphoreOperation.Release(permit)))
        .isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  void aGuardCreatesTheTables() {
    try (SyncGuard guard = SyncGuard.open(database.uri())) {
      guard.setupSchema();
      guard.setupSchema();
      guard.locks().run("k", lock -> {});
    }
  }

  @Test
  void withoutTablesEveryOperationSaysHowToGetThem() {
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      EveryOperation.onLock("k", LockId.random())
          .forEach(
              (name, operation) ->
                  assertThat(assertFails(Code.INVALID_ARGUMENT, () -> ask(store, operation)))
                      .as(name)
                      .hasMessageContaining("setupSchema()"));
      Permits.everyOperation("s")
          .forEach(
              (name, operation) ->
                  assertThat(assertFails(Code.INVALID_ARGUMENT, () -> ask(store, operation)))
                      .as(name)
                      .hasMessageContaining("setupSchema()"));
      EveryOperation.onSecretsAndLimits("k")
          .forEach(
              (name, operation) ->
                  assertThat(assertFails(Code.INVALID_ARGUMENT, () -> ask(store, operation)))
                      .as(name)
                      .hasMessageContaining("setupSchema()"));
      store.setupSchema();
      assertWorks(store);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TABLE syncguard_locks", "FUNCTION syncguard_locks_acquire_2"})
  void whatIsDroppedLaterIsMissed(String what) {
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      store.setupSchema();
      assertWorks(store);
      sql.execute("DROP " + what);
      assertThat(
              assertFails(
                  Code.INVALID_ARGUMENT,
                  () -> OnPostgres.acquire(store.locks(), "k", LockId.random())))
          .hasMessageContaining("setupSchema()");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"syncguard_semaphores_settle_1", "syncguard_semaphores_acquire_1"})
  void aSemaphoresFunctionThatIsDroppedLaterIsMissed(String function) {
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      store.setupSchema();
      assertWorks(store);
      sql.execute("DROP FUNCTION " + function);
      assertThat(
              assertFails(
                  Code.INVALID_ARGUMENT, () -> Permits.ask(store.semaphores(), newPermit("s"), 1)))
          .hasMessageContaining("setupSchema()");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TABLE syncguard_secrets, view",
    "TABLE syncguard_secret_payloads, put",
    "FUNCTION syncguard_secrets_view_1, view",
    "FUNCTION syncguard_counters_count_1, increment",
    "TABLE syncguard_rate_limiters, acquire a rate"
  })
  void whatSecretsAndLimitsNeedIsMissedToo(String what, String operation) {
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      store.setupSchema();
      EveryOperation.onSecretsAndLimits("k").values().forEach(each -> ask(store, each));
      sql.execute("DROP " + what);
      assertThat(
              assertFails(
                  Code.INVALID_ARGUMENT,
                  () -> ask(store, EveryOperation.onSecretsAndLimits("k").get(operation))))
          .hasMessageContaining("setupSchema()");
    }
  }

  @Test
  void whatTheReferenceCreatedIsCompletedAndNotChanged() {
    sql.execute(
        "CREATE TABLE syncguard_locks (key TEXT PRIMARY KEY, lock_id TEXT NOT NULL UNIQUE,"
            + " expires_at_ms BIGINT NOT NULL, acquired_at_ms BIGINT NOT NULL, fence TEXT NOT NULL,"
            + " user_key TEXT NOT NULL)");
    sql.execute(
        "CREATE TABLE syncguard_fence_counters (fence_key TEXT PRIMARY KEY,"
            + " fence BIGINT NOT NULL DEFAULT 0, key_debug TEXT)");
    sql.execute("INSERT INTO syncguard_fence_counters VALUES ('fence:k', 5)");
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      assertThat(
              assertFails(
                  Code.INVALID_ARGUMENT,
                  () -> OnPostgres.acquire(store.locks(), "k", LockId.random())))
          .hasMessageContaining("setupSchema()");
      assertThat(sql.number("SELECT count(*) FROM syncguard_locks")).isZero();
      store.setupSchema();
      assertWorks(store);
      assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(6);
    }
  }

  /** As it was before there was a queue. */
  @Test
  void theTableOfWaitersThatWereNotedByTheirChannelsIsReplaced() {
    sql.execute(
        "CREATE UNLOGGED TABLE syncguard_waiters (key TEXT NOT NULL, channel TEXT NOT NULL,"
            + " since_ms BIGINT NOT NULL, PRIMARY KEY (key, channel))");
    sql.execute("CREATE FUNCTION syncguard_locks_release_1(text, text) RETURNS int RETURN 1");
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      store.setupSchema();
      assertWorks(store);
      OnPostgres.acquire(store.locks(), "k", LockId.random());
      ask(
          store,
          new LockOperation.Acquire(ResourceKey.of("k"), LockId.random(), OnPostgres.TTL, true));
      store.setupSchema();
      assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isEqualTo(1);
      assertThat(sql.rows("SELECT 1 FROM pg_proc WHERE proname = 'syncguard_locks_release_1'"))
          .isEmpty();
    }
  }

  @Test
  void settingUpAgainKeepsWhatIsThere() {
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      store.setupSchema();
      OnPostgres.acquire(store.locks(), "k", LockId.random());
      store.setupSchema();
      assertThat(sql.number("SELECT count(*) FROM syncguard_locks")).isEqualTo(1);
    }
  }

  /** As when a schema of the user's name comes later than the tables, which are in public. */
  @Test
  void tablesInALaterSchemaOfTheSearchPathAreCompletedThere() {
    try (PostgresStore early = PostgresStore.connect(database.uri())) {
      early.setupSchema();
      sql.execute("DROP TABLE syncguard_permits, syncguard_secret_payloads, syncguard_waiters");
      sql.execute("CREATE SCHEMA \"A first\"");
      String path = "?currentSchema=%22A%20first%22,public";
      try (PostgresStore late = PostgresStore.connect(database.uri() + path)) {
        late.setupSchema();
        assertThat(sql.number(TABLES)).isEqualTo(PostgresTable.values().length);
        assertThat(sql.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'A first'"))
            .isZero();
        assertThat(OnPostgres.acquire(early.locks(), "k", LockId.random()))
            .isInstanceOf(Granted.class);
        assertThat(OnPostgres.acquire(late.locks(), "k", LockId.random())).isInstanceOf(Held.class);
      }
    }
  }

  @Test
  void fenceCountersInALaterSchemaAreGoneOnWithWhereTheLocksAreGone() {
    try (PostgresStore early = PostgresStore.connect(database.uri())) {
      early.setupSchema();
      OnPostgres.acquire(early.locks(), "k", LockId.random());
      sql.execute("DROP TABLE syncguard_locks");
      sql.execute("CREATE SCHEMA one");
      try (PostgresStore late =
          PostgresStore.connect(database.uri() + "?currentSchema=one,public")) {
        late.setupSchema();
        assertThat(OnPostgres.acquire(late.locks(), "k", LockId.random()))
            .isInstanceOfSatisfying(
                Granted.class, lock -> assertThat(lock.fence().toLong()).isEqualTo(2));
      }
    }
  }

  @Test
  void whereThereIsNothingTheFirstSchemaOfTheSearchPathIsTaken() {
    sql.execute("CREATE SCHEMA one");
    String path = "?currentSchema=one,public";
    try (PostgresStore store = PostgresStore.connect(database.uri() + path)) {
      store.setupSchema();
      assertWorks(store);
      assertThat(sql.number(TABLES)).isZero();
    }
  }

  @Test
  void eightThatSetUpAtTheSameTimeAllSucceed() throws Exception {
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        callers.add(
            CompletableFuture.runAsync(store::setupSchema, task -> new Thread(task).start()));
      }
      for (CompletableFuture<Void> caller : callers) {
        caller.get(20, TimeUnit.SECONDS);
      }
      assertWorks(store);
      assertThat(sql.number(TABLES)).isEqualTo(PostgresTable.values().length);
    }
  }

  @Test
  void tablesMayHaveOtherNames() {
    Map<PostgresTable, String> names = new EnumMap<>(PostgresTable.class);
    for (PostgresTable table : PostgresTable.values()) {
      names.put(table, table.name().substring(0, 3).repeat(18).substring(1));
    }
    names.put(PostgresTable.WAITERS, "select");
    String parameters =
        names.entrySet().stream()
            .map(name -> name.getKey().parameter() + "=" + name.getValue())
            .collect(Collectors.joining("&", "?", ""));
    try (PostgresStore store = PostgresStore.connect(database.uri() + parameters)) {
      store.setupSchema();
      store.setupSchema();
      assertWorks(store);
      EveryOperation.onSecretsAndLimits("k").values().forEach(each -> ask(store, each));
      store.sweeper().sweep();
      assertThat(sql.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
          .extracting(row -> row.get("tablename"))
          .containsExactlyInAnyOrderElementsOf(names.values());
      assertThat(sql.number("SELECT fence FROM \"" + names.get(PostgresTable.FENCES) + "\""))
          .isEqualTo(1);
    }
  }
}
