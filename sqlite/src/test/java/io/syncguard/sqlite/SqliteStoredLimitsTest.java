package io.syncguard.sqlite;

import io.syncguard.spi.Store;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.StoredLimitsSuite;
import org.junit.jupiter.api.AfterEach;

class SqliteStoredLimitsTest implements StoredLimitsSuite {

  private final SqliteFixture fixture = new SqliteFixture();
  private final SqliteStore store = fixture.openClient();

  @AfterEach
  void close() {
    store.close();
    fixture.close();
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Sql sql() {
    return Sql.on(fixture.file());
  }

  @Override
  public long sweep() {
    return store.sweeper().sweep();
  }

  @Override
  public void storeLimiter(String name, long idleAtMs) {
    sql().execute("INSERT INTO syncguard_rate_limiters VALUES (?, ?)", name, idleAtMs * 1_000_000);
  }
}
