package io.syncguard.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.postgresql.connection.Connections;
import io.syncguard.postgresql.connection.PostgresFailures;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Connections of a URI, pooled. A caller asks the pool for a short time, again and again, and looks
 * in between whether its time is over or it was called off. So it needs no other thread.
 */
final class PostgresPool implements Connections {

  private static final Duration IDLE = Duration.ofMinutes(1);

  /** How long the pool is asked at a time; it takes no less. */
  private static final Duration SLICE = Duration.ofMillis(250);

  /** How long an idle connection has for a sign of life; it is replaced otherwise. */
  private static final Duration VALIDATION = Duration.ofMillis(500);

  private final PostgresUri uri;
  private final HikariDataSource pool;

  private PostgresPool(PostgresUri uri, HikariDataSource pool) {
    this.uri = uri;
    this.pool = pool;
  }

  /** Blocks until there is a first connection; fails if there is none in time. */
  static PostgresPool open(PostgresUri uri) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("syncguard-postgres");
    config.setDataSource(uri.unpooled());
    config.setMaximumPoolSize(uri.poolSize());
    config.setMinimumIdle(1);
    config.setIdleTimeout(IDLE.toMillis());
    config.setConnectionTimeout(SLICE.toMillis());
    config.setValidationTimeout(VALIDATION.toMillis());
    // The driver's own test has whole seconds.
    config.setConnectionTestQuery("SELECT 1");
    config.setInitializationFailTimeout(-1);
    config.setAutoCommit(true);
    PostgresPool opened = new PostgresPool(uri, new HikariDataSource(config));
    SqlCall call = SqlCall.ofStore();
    try {
      opened.take(call, call.deadline(uri.options().timeout())).giveBack();
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e instanceof SyncGuardException failure
          ? failure
          : PostgresFailures.whileConnecting(e, call);
    }
  }

  @Override
  public Taken take(SqlCall call, long deadline) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return new Taken(pool.getConnection(), System.nanoTime());
        } catch (SQLException | RuntimeException e) {
          call.throwIfAborted();
          interrupted |= Thread.interrupted();
          throwIfUseless(call, deadline, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void throwIfUseless(SqlCall call, long deadline, Exception failure) {
    if (pool.isClosed()) {
      throw SyncGuardException.closed("The PostgreSQL store is closed", failure);
    }
    int open = pool.getHikariPoolMXBean().getTotalConnections();
    SQLException refusal = uri.unpooled().failure();
    if (open == 0 && refusal != null) {
      throw PostgresFailures.whileConnecting(refusal, call, uri.servers());
    }
    if (deadline - System.nanoTime() <= 0) {
      throw call.failure(
          Code.SERVICE_UNAVAILABLE,
          open >= uri.poolSize()
              ? "All " + open + " connections to PostgreSQL are in use; see poolSize"
              : "PostgreSQL at " + uri.servers() + " did not accept a connection in time",
          failure);
    }
  }

  @Override
  public void close() {
    // An interrupt would end the closing half-way, and a second closing does nothing.
    boolean interrupted = Thread.interrupted();
    try {
      pool.close();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
