package io.syncguard.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.lock.LockId;
import io.syncguard.spi.Operation;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.StoreSuite;
import io.syncguard.testkit.sql.EveryOperation;
import io.syncguard.testkit.sql.Permits;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an operation costs does not grow with the tables, whatever PostgreSQL knew of them. */
class PostgresPlansTest extends OnPostgres {

  /** After ten the driver and PostgreSQL have both settled for a plan that they keep. */
  private static final int UNTIL_PLANS_ARE_KEPT = 12;

  private static final List<String> FILLING =
      List.of(
          "INSERT INTO syncguard_locks SELECT 'k' || i, 'id ' || i, 9e15, 0, '', '' FROM %s i",
          "INSERT INTO syncguard_fence_counters SELECT 'fence:k' || i FROM %s i",
          "INSERT INTO syncguard_queues SELECT 'q' || i, i, i, 'fence:q' || i, 'q' || i FROM %s i",
          "INSERT INTO syncguard_waiters SELECT 'w' || i, 'q' || i, i, 'p' || i FROM %s i",
          "INSERT INTO syncguard_processes SELECT 'p' || i, '', 9e15 FROM %s i",
          "INSERT INTO syncguard_semaphores SELECT 'k' || i, 1, 1, 9e15, 0 FROM %s i",
          "INSERT INTO syncguard_permits"
              + " SELECT 'p' || i, 'k' || i, 'held', 0, 9e15, 1, 9e15, '' FROM %s i",
          "INSERT INTO syncguard_secrets SELECT 's' || i, 1, 9e15, '' FROM %s i",
          "INSERT INTO syncguard_secret_payloads SELECT 's' || i, '' FROM %s i",
          "INSERT INTO syncguard_counters SELECT 'k' || i, 1, 9e15 FROM %s i",
          "INSERT INTO syncguard_rate_limiters SELECT 'k' || i, 0, 9e15 FROM %s i");

  @Test
  void noOperationReadsAWholeTableThatWasSmallWhenItsPlanWasMade() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.address().jdbcUrl());
    config.setUsername(database.address().user());
    config.setPassword(database.address().password());
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        PostgresStore lent = PostgresStore.over(pool, PostgresOptions.defaults())) {
      // Sweeping would be counted too.
      putOffSweeping(lent);
      fill("generate_series(1, 3)");
      for (PostgresTable table : PostgresTable.values()) {
        sql.execute("ALTER TABLE " + table.defaultName() + " SET (autovacuum_enabled = off)");
      }
      sql.execute("VACUUM ANALYZE");
      for (int round = 0; round < UNTIL_PLANS_ARE_KEPT; round++) {
        everyOperation("round " + round)
            .values()
            .forEach(operation -> StoreSuite.ask(lent, operation));
      }
      fill("generate_series(4, 3000)");
      for (Map.Entry<String, Operation<?>> operation : everyOperation("later").entrySet()) {
        List<Map<String, Object>> before = scans(pool);
        StoreSuite.ask(lent, operation.getValue());
        assertThat(scans(pool)).as(operation.getKey()).isEqualTo(before);
      }
    }
  }

  private void fill(String numbers) {
    FILLING.forEach(insert -> sql.execute(String.format(insert, numbers)));
  }

  private static Map<String, Operation<?>> everyOperation(String key) {
    LockId lockId = LockId.random();
    Map<String, Operation<?>> all = new LinkedHashMap<>(EveryOperation.onLock(key, lockId));
    all.put("take again", new LockOperation.Acquire(ResourceKey.of(key), lockId, TTL, false));
    LockReference waiter = new LockReference(LockId.random(), ResourceKey.of(key));
    all.put("hold", new LockOperation.Acquire(ResourceKey.of(key), lockId, TTL, false));
    all.put("join", new LockOperation.Acquire(ResourceKey.of(key), waiter.lockId(), TTL, true));
    all.put("keep waiting", new LockOperation.KeepWaiting(List.of(waiter)));
    all.put("release and grant", new LockOperation.Release(new LockReference(lockId, null)));
    all.put("confirm", new LockOperation.Acquire(ResourceKey.of(key), waiter.lockId(), TTL, true));
    all.put("queue", new LockOperation.Acquire(ResourceKey.of(key), lockId, TTL, true));
    all.put("leave the queue", new LockOperation.Release(new LockReference(lockId, null)));
    all.put("release by id", new LockOperation.Release(new LockReference(waiter.lockId(), null)));
    Permits.everyOperation(key)
        .forEach((name, operation) -> all.put(name + " a permit", operation));
    all.remove("all stats a permit");
    all.putAll(EveryOperation.onSecretsAndLimits(key));
    return all;
  }

  /** Returns how often each table was read as a whole, as PostgreSQL has counted. */
  private List<Map<String, Object>> scans(HikariDataSource session) throws SQLException {
    try (Connection connection = session.getConnection()) {
      Sql.rowsOn(connection, "SELECT pg_stat_force_next_flush()");
    }
    return sql.rows("SELECT relname, seq_scan FROM pg_stat_user_tables ORDER BY relname");
  }
}
