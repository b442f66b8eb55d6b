package io.syncguard.postgresql.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.postgresql.PostgresStore;
import io.syncguard.testkit.SemaphoreProcessContract;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.sql.Sql;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Several JVMs that share a semaphore on PostgreSQL. */
class PostgresSemaphoreProcessesTest extends SemaphoreProcessContract {
  private PostgresDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresDatabase.create(18);
    try (PostgresStore store = PostgresStore.connect(database.uri())) {
      store.setupSchema();
    }
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @Override
  protected String uri() {
    return database.uri();
  }

  @Override
  protected int handOffs() {
    return 600;
  }

  @Override
  protected void assertStoreIsEmpty() {
    Sql sql = Sql.on(database);
    assertThat(sql.number("SELECT count(*) FROM syncguard_permits")).isZero();
    assertThat(sql.number("SELECT count(*) FROM syncguard_semaphores")).isZero();
  }
}
