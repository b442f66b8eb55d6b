package io.syncguard.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.CancelSignal;
import java.time.Duration;
import javax.sql.DataSource;

/** Connections of our own, pooled. */
final class PostgresPool implements AutoCloseable {

  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final long SHORTEST_TIMEOUT_MS = 250;

  private final HikariDataSource pool;

  private PostgresPool(HikariDataSource pool) {
    this.pool = pool;
  }

  static PostgresPool open(PostgresUri uri) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("syncguard-postgres");
    config.setDataSource(uri.unpooled());
    config.setMaximumPoolSize(uri.poolSize());
    config.setMinimumIdle(1);
    config.setIdleTimeout(IDLE.toMillis());
    long timeoutMs = Math.max(SHORTEST_TIMEOUT_MS, uri.options().timeout().toMillis());
    config.setConnectionTimeout(timeoutMs);
    config.setValidationTimeout(Math.min(timeoutMs, config.getValidationTimeout()));
    config.setAutoCommit(true);
    try {
      return new PostgresPool(new HikariDataSource(config));
    } catch (RuntimeException e) {
      throw PostgresFailures.whileConnecting(e, Call.of(null, null, CancelSignal.never()));
    }
  }

  DataSource connections() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
  }
}
