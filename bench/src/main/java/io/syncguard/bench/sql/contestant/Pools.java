package io.syncguard.bench.sql.contestant;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.testkit.server.PostgresAddress;

/** Connections as an application has them: each contestant has its own pool, all alike. */
public final class Pools {

  /** As many as there are threads at most, so that no thread waits for a connection. */
  public static final int SIZE = 8;

  private Pools() {}

  public static HikariDataSource open(PostgresAddress address) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(SIZE);
    return new HikariDataSource(config);
  }
}
