package io.syncguard.bench.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.syncguard.testkit.server.PostgresAddress;

/** Connections as an application has them: every contestant has a pool of its own, all alike. */
final class Pools {

  /** As many as there are threads at most, so that nobody waits for a connection. */
  static final int SIZE = 8;

  private Pools() {}

  static HikariDataSource open(PostgresAddress address) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(SIZE);
    return new HikariDataSource(config);
  }
}
