package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.testkit.server.FaultyProxy;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Replies that are lost, and connections that the server ends. */
class PostgresSemaphoreFailuresTest extends OnPostgres {

  private static final String NAME = "the name whose reply is lost";
  private static final Duration PATIENCE = Duration.ofSeconds(50);
  private static final String VICTIMS =
      "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'victim'";
  private static final String LISTENER = VICTIMS + " AND query LIKE 'LISTEN%'";

  private FaultyProxy proxy;
  private SyncGuard behindTheProxy;
  private SyncGuard victim;
  private SyncGuard other;

  @BeforeEach
  void connect() {
    proxy = FaultyProxy.forwardingTo(database.address().host(), database.address().port());
    behindTheProxy =
        SyncGuard.open(database.address().withLocalPort(proxy.port()).uri() + "?timeout=1s");
    victim =
        SyncGuard.open(
            database.uri() + "?ApplicationName=victim", GuardOptions.defaults().withKeepOnClose());
    other = SyncGuard.open(database.uri(), GuardOptions.defaults().withKeepOnClose());
    assertThat(behindTheProxy.semaphores().stats(NAME)).isEmpty();
  }

  @AfterEach
  void disconnect() {
    victim.close();
    other.close();
    behindTheProxy.close();
    proxy.close();
  }

  private long permits(String state) {
    return sql.number("SELECT count(*) FROM syncguard_permits WHERE state = ?", state);
  }

  private void kill(String whom) {
    assertThat(sql.rows("SELECT pg_terminate_backend(pid, 10000) " + whom)).isNotEmpty();
  }

  private static Permit got(CompletableFuture<Permit> permit) throws Exception {
    return permit.get(30, TimeUnit.SECONDS);
  }

  @Test
  void anAcquisitionWhoseReplyIsLostTakesOneSlot() {
    proxy.dropReplyTo(NAME);
    Permit permit = behindTheProxy.semaphore(NAME, 2).acquire(PATIENCE);
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    assertThat(permits("held")).isEqualTo(1);
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.RELEASED);
  }

  @Test
  void anAttemptGivenUpInDoubtLeavesNothingBehind() throws Exception {
    proxy.dropReplyTo(NAME);
    FairSemaphore semaphore = behindTheProxy.semaphore(NAME, 1);
    assertThat(assertFails(Code.SERVICE_UNAVAILABLE, semaphore::tryAcquire).isOutcomeUnknown())
        .isTrue();
    eventually(() -> assertThat(permits("held")).isZero());
    assertThat(sql.number("SELECT count(*) FROM syncguard_semaphores")).isZero();
  }

  @Test
  void aReleaseWhoseReplyIsLostIsAskedForAgain() {
    Permit permit = take(behindTheProxy.semaphore(NAME, 1));
    proxy.dropReplyTo(NAME);
    assertThat(permit.release()).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(proxy.droppedReplies()).isEqualTo(1);
    assertThat(permits("held")).isZero();
  }

  @Test
  void aPlaceWhoseReplyIsLostIsKept() throws Exception {
    Permit held = take(other.semaphore(NAME, 1));
    proxy.dropReplyTo(NAME);
    CompletableFuture<Permit> first =
        inBackground(() -> behindTheProxy.semaphore(NAME, 1).acquire(PATIENCE));
    eventually(() -> assertThat(permits("waiting")).isEqualTo(1));
    CompletableFuture<Permit> second =
        inBackground(() -> other.semaphore(NAME, 1).acquire(PATIENCE));
    eventually(() -> assertThat(permits("waiting")).isEqualTo(2));
    held.close();
    Permit next = got(first);
    assertThat(second).isNotDone();
    next.close();
    got(second).close();
    assertThat(proxy.droppedReplies()).isEqualTo(1);
  }

  @Test
  void anAcquisitionThatIsKilledUnderWayIsTriedAgain() throws Exception {
    try (Connection blocking = sql.begin()) {
      Sql.rowsOn(blocking, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", NAME);
      CompletableFuture<Permit> acquiring =
          inBackground(() -> victim.semaphore(NAME, 1).acquire(PATIENCE));
      String blocked = VICTIMS + " AND wait_event_type = 'Lock'";
      eventually(() -> assertThat(sql.number("SELECT count(*) " + blocked)).isEqualTo(1));
      kill(blocked);
      blocking.rollback();
      assertThat(got(acquiring).release()).isEqualTo(PermitReleaseResult.RELEASED);
    }
  }

  @Test
  void aWaiterIsServedWhenTheConnectionThatListensIsEnded() throws Exception {
    Permit held = take(other.semaphore(NAME, 1));
    CompletableFuture<Permit> waiting =
        inBackground(() -> victim.semaphore(NAME, 1).acquire(PATIENCE));
    eventually(() -> assertThat(told()).isEqualTo(1));
    Object listener = sql.value("SELECT pid " + LISTENER);
    kill(LISTENER);
    eventually(() -> assertThat(sql.value("SELECT pid " + LISTENER)).isNotEqualTo(listener));
    held.close();
    assertThat(got(waiting).release()).isEqualTo(PermitReleaseResult.RELEASED);
  }

  /** Returns how many wait and will be notified. */
  private long told() {
    return sql.number(
        "SELECT count(*) FROM syncguard_permits WHERE state = 'waiting' AND channel <> ''");
  }

  /**
   * A connection of the test listens on the waiters' channels too, and hears what is said there.
   */
  @Test
  void onlyAWaiterThatIsGrantedASlotIsNotified() throws Exception {
    Permit held = take(other.semaphore(NAME, 1));
    CompletableFuture<Permit> first =
        inBackground(() -> victim.semaphore(NAME, 1).acquire(PATIENCE));
    eventually(() -> assertThat(told()).isEqualTo(1));
    CompletableFuture<Permit> second =
        inBackground(() -> other.semaphore(NAME, 1).acquire(PATIENCE));
    eventually(() -> assertThat(told()).isEqualTo(2));
    List<Map<String, Object>> waiters =
        sql.rows(
            "SELECT id, channel FROM syncguard_permits WHERE state = 'waiting' ORDER BY ticket");
    try (Connection listening = database.address().connect()) {
      for (Map<String, Object> waiter : waiters) {
        Sql.rowsOn(listening, "LISTEN " + waiter.get("channel"));
      }
      held.close();
      Permit next = got(first);
      assertThat(listening.unwrap(PGConnection.class).getNotifications(10_000))
          .extracting(PGNotification::getName, PGNotification::getParameter)
          .containsExactly(tuple(waiters.get(0).get("channel"), waiters.get(0).get("id")));
      next.close();
      got(second).close();
    }
  }
}
