package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.Locks;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.WayToWait;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that the server ends, in every state a client can be in. */
class PostgresKilledConnectionTest extends OnPostgres {

  private static final String KEY = "k";
  private static final String VICTIMS =
      "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'victim'";
  private static final String LISTENER = VICTIMS + " AND query LIKE 'LISTEN%'";

  private SyncGuard guard;
  private SyncGuard other;
  private Locks clients;

  @BeforeEach
  void connect() {
    guard =
        SyncGuard.open(
            database.uri() + "?ApplicationName=victim", GuardOptions.defaults().withKeepOnClose());
    other = SyncGuard.open(database.uri(), GuardOptions.defaults().withKeepOnClose());
    clients = guard.locks();
    assertThat(clients.isLocked(KEY)).isFalse();
  }

  @AfterEach
  void disconnect() {
    guard.close();
    other.close();
  }

  private void kill(String whom) {
    assertThat(sql.rows("SELECT pg_terminate_backend(pid, 10000) " + whom)).isNotEmpty();
  }

  private CompletableFuture<LockHandle> waiterThatIsRegistered(WayToWait way) throws Exception {
    CompletableFuture<LockHandle> waiting = way.waitFor(clients, KEY, WayToWait.TOLD_ONLY);
    eventually(() -> assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isEqualTo(1));
    eventually(() -> assertThat(sql.rows("SELECT pid " + LISTENER)).hasSize(1));
    return waiting;
  }

  @Test
  void anIdleClientConnectsAgain() {
    kill(VICTIMS);
    LockHandle lock = clients.lock(KEY, WayToWait.PERSISTENT);
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void anAcquisitionUnderWayIsTriedAgain(WayToWait way) throws Exception {
    take(other.locks(), KEY, TTL).release();
    try (Connection blocking = sql.begin()) {
      Sql.rowsOn(blocking, "SELECT 1 FROM syncguard_fence_counters FOR UPDATE");
      CompletableFuture<LockHandle> acquiring = way.waitFor(clients, KEY, WayToWait.PERSISTENT);
      String blocked = VICTIMS + " AND wait_event_type = 'Lock'";
      eventually(() -> assertThat(sql.number("SELECT count(*) " + blocked)).isEqualTo(1));
      kill(blocked);
      blocking.rollback();
      LockHandle lock = WayToWait.got(acquiring);
      assertThat(lock.fence().toLong()).isEqualTo(2);
      assertThat(clients.owns(lock.lockId())).isTrue();
    }
  }

  @Test
  void aHeldLockStaysHeldAndIsExtendedOn() throws Exception {
    LockHandle lock = take(clients, KEY, Duration.ofSeconds(2)).autoExtend(WayToWait.HOUR);
    kill(VICTIMS);
    long before = lock.expiresAt().toEpochMilli();
    eventually(() -> assertThat(lock.expiresAt().toEpochMilli()).isGreaterThan(before));
    assertThat(lock.isHeld()).isTrue();
    assertThat(lock.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aReleaseTakesAnotherConnection() {
    LockHandle first = take(clients, KEY, TTL);
    kill(VICTIMS);
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
    LockHandle second = clients.lock(KEY, WayToWait.PERSISTENT);
    kill(VICTIMS);
    assertThat(join(second.releaseAsync())).isEqualTo(ReleaseResult.RELEASED);
    assertThat(other.locks().isLocked(KEY)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void waitersAreToldAgainWhenTheConnectionThatListenedWasEnded(WayToWait way) throws Exception {
    LockHandle held = take(other.locks(), KEY, TTL);
    CompletableFuture<LockHandle> first = waiterThatIsRegistered(way);
    Object listener = sql.value("SELECT pid " + LISTENER);

    kill(LISTENER);
    held.release();
    WayToWait.got(first).release();

    eventually(() -> assertThat(sql.value("SELECT pid " + LISTENER)).isNotEqualTo(listener));
    LockHandle heldAgain = take(other.locks(), KEY, TTL);
    CompletableFuture<LockHandle> second = waiterThatIsRegistered(way);
    heldAgain.release();
    assertThat(WayToWait.got(second).release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void aWaiterIsToldThroughTheNextConnection() throws Exception {
    LockHandle held = take(other.locks(), KEY, TTL);
    CompletableFuture<LockHandle> waiting = waiterThatIsRegistered(WayToWait.BLOCKING);
    Object listener = sql.value("SELECT pid " + LISTENER);
    kill(LISTENER);
    eventually(() -> assertThat(sql.value("SELECT pid " + LISTENER)).isNotEqualTo(listener));
    held.release();
    WayToWait.got(waiting);
  }
}
