package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.testkit.server.PostgresServer;
import io.syncguard.testkit.sql.Sql;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A crash of the server empties the queues, and undoes no grant. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresCrashedQueueTest {

  private static final ResourceKey KEY = ResourceKey.of("k");

  private final LockId holder = LockId.random();
  private final LockId waiter = LockId.random();
  private final LockId second = LockId.random();

  private static LockReference reference(LockId lockId) {
    return new LockReference(lockId, KEY);
  }

  private static Object acquire(PostgresStore store, LockId lockId) {
    return ask(store, new LockOperation.Acquire(KEY, lockId, OnPostgres.TTL, true));
  }

  private static void crash(PostgresServer server, PostgresStore store) throws Exception {
    server.kill();
    server.restart();
    eventually(() -> ask(store, new LockOperation.IsLocked(KEY)));
  }

  @Test
  void waitersFindThatTheirPlacesAreGoneAndJoinAgain() throws Exception {
    try (PostgresServer server = PostgresServer.builder().version(18).start();
        PostgresStore store = PostgresStore.connect(server.address().uri())) {
      store.setupSchema();
      assertThat(acquire(store, holder)).isInstanceOf(Granted.class);
      assertThat(acquire(store, waiter)).isInstanceOf(Queued.class);
      Queued before = (Queued) acquire(store, second);
      crash(server, store);
      assertThat(Sql.on(server.address()).number("SELECT count(*) FROM syncguard_waiters"))
          .isZero();
      assertThat(
              ask(
                  store,
                  new LockOperation.KeepWaiting(List.of(reference(waiter), reference(second)))))
          .containsExactly(PlaceState.GONE, PlaceState.GONE);
      Queued after = (Queued) acquire(store, second);
      assertThat(after.ticket()).isGreaterThan(before.ticket());
      assertThat(acquire(store, waiter)).isInstanceOf(Queued.class);
      assertThat(ask(store, new LockOperation.Release(reference(holder))))
          .isEqualTo(ReleaseResult.RELEASED);
      assertThat(acquire(store, second)).isInstanceOf(Granted.class);
    }
  }

  /** Nothing that comes after it flushes it. */
  @ParameterizedTest
  @ValueSource(ints = {15, 18})
  void aGrantThatAWaiterMayHaveBeenToldOfIsStillThere(int version) throws Exception {
    try (PostgresServer server =
            PostgresServer.builder().version(version).setting("wal_writer_delay", "10s").start();
        PostgresStore store = PostgresStore.connect(server.address().uri())) {
      store.setupSchema();
      acquire(store, holder);
      acquire(store, waiter);
      ask(store, new LockOperation.Release(reference(holder)));
      crash(server, store);
      // Its time may be over.
      assertThat(Sql.on(server.address()).rows("SELECT lock_id, fence FROM syncguard_locks"))
          .containsExactly(Map.of("lock_id", waiter.value(), "fence", "000000000000002"));
    }
  }
}
