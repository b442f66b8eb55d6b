package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.sql.Permits;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * A client that listens and does not come to hear keeps all notifications, until there is no room.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresFullQueueTest {

  private final PostgresServer server =
      PostgresServer.builder().version(18).setting("max_notify_queue_pages", "64").start();
  private final Sql sql = Sql.on(server.address());
  private final PostgresStore store = PostgresStore.connect(server.address().uri());
  private final Connection deaf = sql.begin();

  @BeforeAll
  void fillTheQueue() throws SQLException {
    store.setupSchema();
    Sql.rowsOn(deaf, "LISTEN deaf");
    deaf.commit();
    Sql.rowsOn(deaf, "SELECT 1");
    try (Connection talker = server.connect()) {
      while (true) {
        Sql.rowsOn(talker, "SELECT pg_notify('deaf', repeat('x', 7000))");
      }
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("54000");
    }
  }

  @AfterAll
  void stop() throws SQLException {
    deaf.close();
    store.close();
    server.close();
  }

  @Test
  void aLockIsReleasedAndGrantedAllTheSame() {
    LockId lockId = LockId.random();
    OnPostgres.acquire(store.locks(), "k", lockId);
    LockId waiter = LockId.random();
    sql.execute(
        "SELECT syncguard_locks_acquire_2('k', 'fence:k', 'k', ?, 600000, 1, 'p', 'c')",
        waiter.value());
    assertThat(ask(store, new LockOperation.Release(new LockReference(lockId, null))))
        .isEqualTo(ReleaseResult.RELEASED);
    assertThat(sql.value("SELECT lock_id FROM syncguard_locks")).isEqualTo(waiter.value());
  }

  @Test
  void aSlotIsReleasedAndGrantedAllTheSame() {
    PermitReference holder = newPermit("s");
    Permits.ask(store.semaphores(), holder, 1);
    sql.execute("SELECT syncguard_semaphores_acquire_1('s', 'w', 1, 600000, 600000, 1, 'c')");
    assertThat(ask(store, new SemaphoreOperation.Release(holder)))
        .isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(sql.value("SELECT state FROM syncguard_permits")).isEqualTo("granted");
  }
}
