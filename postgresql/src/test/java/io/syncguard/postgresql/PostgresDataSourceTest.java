package io.syncguard.postgresql;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.sql.EveryOperation;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.WayToWait;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool that the caller has. */
class PostgresDataSourceTest extends OnPostgres {

  private static final String KEY = "k";

  private HikariDataSource pool(int size, Consumer<HikariConfig> settings) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.address().jdbcUrl() + "?ApplicationName=theirs");
    config.setUsername(database.address().user());
    config.setPassword(database.address().password());
    config.setMaximumPoolSize(size);
    settings.accept(config);
    return new HikariDataSource(config);
  }

  private HikariDataSource poolOfOne() {
    return pool(1, config -> {});
  }

  private static PostgresStore over(HikariDataSource pool) {
    return PostgresStore.over(pool, PostgresOptions.defaults());
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void oneConnectionWillDoForManyThatWait(WayToWait way) throws Exception {
    try (HikariDataSource pool = poolOfOne();
        SyncGuard guard = SyncGuard.over(over(pool))) {
      LockHandle held = take(guard.locks(), KEY, TTL);
      List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(
            way.waitFor(guard.locks(), KEY, WayToWait.PERSISTENT)
                .thenApply(
                    lock -> {
                      lock.releaseAsync();
                      return lock;
                    }));
      }
      held.release();
      long fence = held.fence().toLong();
      for (CompletableFuture<LockHandle> waiter20 : waiting) {
        assertThat(WayToWait.got(waiter20).fence().toLong()).isGreaterThan(fence);
      }
      assertThat(sql.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(fence + 20);
    }
  }

  @Test
  void everyAsynchronousOperationGetsItsTurnOnTheOneConnection() {
    try (HikariDataSource pool = poolOfOne();
        SyncGuard guard = SyncGuard.over(over(pool))) {
      List<CompletableFuture<ReleaseResult>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        all.add(
            guard
                .locks()
                .async()
                .tryLock(KEY + i, TTL)
                .thenCompose(lock -> ((LockHandle) lock).releaseAsync())
                .toCompletableFuture());
      }
      all.forEach(one -> assertThat(join(one)).isEqualTo(ReleaseResult.RELEASED));
    }
  }

  @Test
  void thePoolStaysOpenAndItsConnectionsAreAsTheyWere() throws Exception {
    try (HikariDataSource pool = poolOfOne()) {
      try (PostgresStore closed = over(pool)) {
        acquire(closed.locks(), KEY, LockId.random());
      }
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.getAutoCommit()).isTrue();
        assertThat(connection.getNetworkTimeout()).isZero();
        assertThat(Sql.rowsOn(connection, "SHOW synchronous_commit").get(0)).containsValue("on");
      }
    }
  }

  @Test
  void aBusyStoreAsksThePoolForFarFewerConnectionsThanItHasOperations() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (HikariDataSource pool =
        pool(
            1,
            config -> {
              config.setMetricsTrackerFactory(
                  (name, stats) ->
                      new IMetricsTracker() {
                        @Override
                        public void recordConnectionUsageMillis(long elapsed) {
                          asked.incrementAndGet();
                        }
                      });
            })) {
      try (PostgresStore busy = over(pool)) {
        for (int i = 0; i < 500; i++) {
          StoreSuite.ask(busy, new LockOperation.IsLocked(ResourceKey.of(KEY)));
        }
        eventually(() -> assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero());
      }
      assertThat(asked).hasValueLessThan(250);
    }
  }

  @Test
  void aBusyStoreLetsOthersHaveTheOnlyConnection() throws Exception {
    try (HikariDataSource pool = poolOfOne();
        SyncGuard guard = SyncGuard.over(over(pool))) {
      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Boolean> busy =
          inBackground(
              () -> {
                while (!enough.get()) {
                  assertThat(guard.locks().isLocked(KEY)).isFalse();
                }
                return true;
              });
      for (int i = 0; i < 10; i++) {
        try (Connection theirs = pool.getConnection()) {
          assertThat(theirs.getAutoCommit()).isTrue();
        }
      }
      enough.set(true);
      assertThat(busy.get()).isTrue();
    }
  }

  @Test
  void theConnectionThatListenedDoesNotGoBackIntoThePool() throws Exception {
    try (HikariDataSource pool = pool(2, config -> {})) {
      SyncGuard guard =
          SyncGuard.over(PostgresStore.over(pool, PostgresOptions.defaults().withListening(pool)));
      LockHandle held = (LockHandle) guard.locks().tryLock(KEY, TTL);
      CompletableFuture<LockHandle> waiting =
          WayToWait.BLOCKING.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
      eventually(
          () -> assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isEqualTo(1));
      held.release();
      WayToWait.got(waiting);
      guard.close();
      eventually(() -> assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero());
      try (Connection one = pool.getConnection();
          Connection two = pool.getConnection()) {
        for (Connection connection : List.of(one, two)) {
          assertThat(Sql.rowsOn(connection, "SELECT pg_listening_channels()")).isEmpty();
        }
      }
    }
  }

  @Test
  void openingSaysThatWaitersPollUnlessThereIsASourceToListenTo() {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try (HikariDataSource pool = poolOfOne()) {
      PostgresOptions options = PostgresOptions.defaults();
      PostgresStore.over(pool, options.withListening(pool)).close();
      assertThat(logged.toString(StandardCharsets.UTF_8)).doesNotContain("poll");
      PostgresStore.over(pool, options).close();
      assertThat(logged.toString(StandardCharsets.UTF_8)).contains("poll", "withListening");
    } finally {
      System.setErr(before);
    }
  }

  @Test
  void aPoolWithoutAutocommitIsRefusedAndNothingIsChanged() {
    try (HikariDataSource pool = pool(1, config -> config.setAutoCommit(false));
        PostgresStore refused = over(pool)) {
      EveryOperation.onLock(KEY, LockId.random())
          .forEach(
              (name, operation) ->
                  assertThat(
                          assertFails(
                              Code.INVALID_ARGUMENT, () -> StoreSuite.ask(refused, operation)))
                      .as(name)
                      .hasMessageContaining("autocommit"));
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
    assertThat(sql.number("SELECT count(*) FROM syncguard_locks")).isZero();
    assertThat(sql.number("SELECT count(*) FROM syncguard_fence_counters")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRANSACTION_SERIALIZABLE", "TRANSACTION_REPEATABLE_READ"})
  void aPoolThatIsTooStrictIsRefusedAtOnceAndNotOnlyUnderLoad(String isolation) {
    try (HikariDataSource pool = pool(1, config -> config.setTransactionIsolation(isolation));
        PostgresStore refused = over(pool)) {
      assertThat(
              assertFails(
                  Code.INVALID_ARGUMENT, () -> acquire(refused.locks(), KEY, LockId.random())))
          .hasMessageContaining("READ COMMITTED");
    }
    assertThat(sql.number("SELECT count(*) FROM syncguard_locks")).isZero();
  }

  @Test
  void aPoolWithoutAConnectionToSpareIsUnavailable() throws Exception {
    try (HikariDataSource pool = pool(1, config -> config.setConnectionTimeout(250));
        PostgresStore starved = over(pool);
        Connection taken = pool.getConnection()) {
      SyncGuardException failure =
          assertFails(
              Code.SERVICE_UNAVAILABLE, () -> acquire(starved.locks(), KEY, LockId.random()));
      assertThat(failure.isOutcomeUnknown()).isFalse();
      assertThat(taken.isClosed()).isFalse();
    }
  }

  @Test
  void anInterruptEndsTheWaitForAConnection() throws Exception {
    try (HikariDataSource pool = pool(1, config -> config.setConnectionTimeout(60_000));
        PostgresStore starved = over(pool);
        Connection taken = pool.getConnection()) {
      AtomicReference<Thread> thread = new AtomicReference<>();
      CompletableFuture<Boolean> acquiring =
          inBackground(
              () -> {
                thread.set(Thread.currentThread());
                assertFails(Code.ABORTED, () -> acquire(starved.locks(), KEY, LockId.random()));
                return Thread.interrupted();
              });
      eventually(
          () -> assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection()).isEqualTo(1));
      thread.get().interrupt();
      assertThat(acquiring.get()).isTrue();
      assertThat(taken.isClosed()).isFalse();
    }
  }
}
