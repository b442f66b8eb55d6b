package io.syncguard.postgresql;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.server.PostgresAddress;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.WayToWait;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A proxy in front of the server gives a transaction any connection, and keeps it open. */
class PostgresBehindAProxyTest extends OnPostgres {

  private static final String KEY = "k";

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void waitersPollAndLeaveNothingBehind(WayToWait way) throws Exception {
    try (RenumberingProxy proxy = new RenumberingProxy(database.address());
        PostgresStore behind = PostgresStore.connect(proxy.address().uri());
        SyncGuard direct = SyncGuard.open(database.uri())) {
      LockHandle held = take(direct.locks(), KEY, TTL);
      LockReference first = new LockReference(LockId.random(), ResourceKey.of(KEY));
      Watch watch = behind.locks().watch(first, WaiterHints.looking(() -> {})).orElseThrow();
      StoreSuite.ask(
          behind, new LockOperation.Acquire(ResourceKey.of(KEY), first.lockId(), TTL, true));
      eventually(
          () ->
              assertThat(behind.locks().watch(first, WaiterHints.looking(() -> {})))
                  .as("a watch once the proxy is found out")
                  .isEmpty());
      assertThat(watch.isTold()).isFalse();
      StoreSuite.ask(behind, new LockOperation.Release(first));
      SyncGuard guard = SyncGuard.over(behind);
      CompletableFuture<LockHandle> waiting = way.waitFor(guard.locks(), KEY, WayToWait.PERSISTENT);
      held.release();
      WayToWait.got(waiting).release();
      assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isZero();
      assertThat(
              sql.number(
                  "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                      + " AND query LIKE 'LISTEN%'"))
          .isZero();
      assertThat(sql.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")).isZero();
    }
  }

  @Test
  void nothingStaysPreparedOnTheServer() throws Exception {
    try (RenumberingProxy proxy = new RenumberingProxy(database.address())) {
      assertThat(preparedThrough(database.address())).as("without a proxy").isNotEmpty();
      assertThat(preparedThrough(proxy.address())).isEmpty();
    }
  }

  /** Returns what the only connection has prepared after it was used again and again. */
  private static List<Map<String, Object>> preparedThrough(PostgresAddress address)
      throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        SyncGuard guard = SyncGuard.over(PostgresStore.over(pool, PostgresOptions.defaults()))) {
      for (int i = 0; i < 10; i++) {
        take(guard.locks(), KEY, TTL).release();
      }
      try (Connection connection = pool.getConnection()) {
        return Sql.rowsOn(connection, "SELECT name, statement FROM pg_prepared_statements");
      }
    }
  }
}
