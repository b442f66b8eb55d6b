package io.syncguard.postgresql.stored;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.sql.Permits;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What semaphores leave in the tables, for how long, and how much of them a step reads. */
class PostgresSemaphoreRowsTest extends OnPostgres {

  private static final String NAME = "caf\u00e9 'quoted' \"twice\" \\ :id ? {locks}";
  private static final String ACQUIRE =
      "SELECT outcome FROM syncguard_semaphores_acquire_1(?, ?, 1, 600000, 600000, ?, '')";

  private final SemaphoreBackend semaphores = store.semaphores();
  private final PermitReference holder = newPermit(NAME);
  private final PermitReference waiter = newPermit(NAME);

  private long rows() {
    return sql.number(
        "SELECT (SELECT count(*) FROM syncguard_semaphores)"
            + " + (SELECT count(*) FROM syncguard_permits)");
  }

  private void holdAndWait() {
    assertThat(Permits.ask(semaphores, holder, 1)).isInstanceOf(PermitAttempt.Held.class);
    assertThat(Permits.ask(semaphores, waiter, 1)).isInstanceOf(PermitAttempt.Waiting.class);
  }

  private void die(String whose) {
    sql.execute("UPDATE syncguard_permits SET deadline_ms = 1 WHERE " + whose);
    sql.execute("UPDATE syncguard_semaphores SET due_ms = 1");
  }

  @Test
  void aHolderAndAWaiterAreThreeRows() {
    holdAndWait();
    assertThat(sql.rows("SELECT name, slots, taken FROM syncguard_semaphores"))
        .containsExactly(Map.of("name", NAME, "slots", 1L, "taken", 1L));
    assertThat(sql.rows("SELECT id, name, state FROM syncguard_permits ORDER BY ticket"))
        .containsExactly(
            Map.of("id", holder.id().value(), "name", NAME, "state", "held"),
            Map.of("id", waiter.id().value(), "name", NAME, "state", "waiting"));
  }

  @Test
  void nothingIsLeftWhenTheLastOneGoes() {
    holdAndWait();
    ask(new SemaphoreOperation.Release(waiter));
    ask(new SemaphoreOperation.Release(holder));
    assertThat(rows()).isZero();

    holdAndWait();
    ask(new SemaphoreOperation.Release(holder));
    assertThat(ask(new SemaphoreOperation.Release(waiter))).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(rows()).isZero();
  }

  @Test
  void refusedAttemptsLeaveNothing() {
    Permits.ask(semaphores, holder, 1);
    assertThat(Permits.ask(semaphores, waiter, 1, false)).isInstanceOf(PermitAttempt.Busy.class);
    assertThat(Permits.ask(semaphores, waiter, 2)).isEqualTo(new PermitAttempt.LimitDiffers(1));
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void ofANameWhoseUsersAllDiedNothingIsLeftOnceItIsSwept() {
    holdAndWait();
    Permits.ask(semaphores, newPermit("alive"), 1);
    assertThat(sweep()).isZero();
    die("name <> 'alive'");
    assertThat(sweep()).isPositive();
    assertThat(sql.rows("SELECT name FROM syncguard_semaphores"))
        .containsExactly(Map.of("name", "alive"));
    assertThat(sql.rows("SELECT name FROM syncguard_permits"))
        .containsExactly(Map.of("name", "alive"));
  }

  @Test
  void sweepingLeavesANameAloneThatAnotherClientIsAt() throws SQLException {
    holdAndWait();
    die("true");
    try (Connection other = sql.begin()) {
      Sql.rowsOn(other, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", NAME);
      assertThat(sweep()).isZero();
    }
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void aSweepServesThoseWhoLive() {
    holdAndWait();
    die("state = 'held'");
    sweep();
    assertThat(sql.rows("SELECT id, state FROM syncguard_permits"))
        .containsExactly(Map.of("id", waiter.id().value(), "state", "granted"));
  }

  @Test
  void aNameWhoseUsersAllDiedMayHaveAnotherLimit() {
    holdAndWait();
    die("true");
    assertThat(Permits.ask(semaphores, newPermit(NAME), 7)).isInstanceOf(PermitAttempt.Held.class);
    assertThat(ask(new SemaphoreOperation.AllStats()))
        .extracting(SemaphoreStats::limit, SemaphoreStats::acquired, SemaphoreStats::waiting)
        .containsExactly(tuple(7, 1, 0));
  }

  @Test
  void ticketsIncreaseEvenIfTheClockWasSetBack() {
    holdAndWait();
    sql.execute(
        "UPDATE syncguard_permits SET ticket = ticket + 3600000000 WHERE state = 'waiting'");
    long last = sql.number("SELECT max(ticket) FROM syncguard_permits");
    assertThat(Permits.ask(semaphores, newPermit(NAME), 1))
        .isEqualTo(new PermitAttempt.Waiting(last + 1));
    sql.execute("UPDATE syncguard_semaphores SET head = head + 7200000000");
    long head = sql.number("SELECT head FROM syncguard_semaphores");
    assertThat(Permits.ask(semaphores, newPermit(NAME), 1))
        .isEqualTo(new PermitAttempt.Waiting(head));
  }

  /** Else a client that dies before that would never be found. */
  @Test
  void noDeadlineIsBeforeTheOneThatStepsLookAt() {
    List<String> steps =
        List.of(
            "SELECT syncguard_semaphores_acquire_1('n', 'a', 2, 600000, 1000, 1, '')",
            "SELECT syncguard_semaphores_acquire_1('n', 'b', 2, 1000, 600000, 1, '')",
            "SELECT syncguard_semaphores_acquire_1('n', 'c', 2, 600000, 1000, 1, '')",
            "SELECT syncguard_semaphores_acquire_1('n', 'c', 2, 600000, 500, 1, '')",
            "SELECT syncguard_semaphores_ping_1('n', '[\"a\",\"c\"]', 250)",
            "SELECT syncguard_semaphores_release_1('n', 'a')");
    for (String step : steps) {
      sql.execute("UPDATE syncguard_permits SET deadline_ms = deadline_ms + 3600000");
      sql.execute("UPDATE syncguard_semaphores SET due_ms = due_ms + 3600000");
      sql.execute(step);
      assertThat(
              sql.number(
                  "SELECT count(*) FROM syncguard_permits p JOIN syncguard_semaphores s"
                      + " ON p.name = s.name AND p.deadline_ms < s.due_ms"))
          .as(step)
          .isZero();
    }
  }

  @Test
  void anIdIsOfUseUnderItsOwnNameOnly() {
    holdAndWait();
    PermitReference other = newPermit("other");
    Permits.ask(semaphores, other, 1);
    PermitReference stray = new PermitReference(other.name(), holder.id());
    assertThat(ask(new SemaphoreOperation.Release(stray))).isEqualTo(PermitReleaseResult.NOT_FOUND);
    assertFails(Code.INVALID_ARGUMENT, () -> Permits.ask(semaphores, stray, 1));
    assertThat(rows()).isEqualTo(5);
  }

  @Test
  void statsOfManyNamesComeInBatches() {
    sql.execute(
        "INSERT INTO syncguard_semaphores SELECT 'n' || i, 3, 1, 0, 0 FROM generate_series(1, 2500) i");
    sql.execute(
        "INSERT INTO syncguard_permits (id, name, state, ticket, deadline_ms, channel)"
            + (" SELECT 'i' || i, 'n' || i, 'held', 0, " + NOW + " + 600000, ''")
            + " FROM generate_series(1, 2500) i WHERE i % 2 = 0");
    assertThat(ask(new SemaphoreOperation.AllStats()))
        .hasSize(1250)
        .allMatch(stats -> stats.acquired() == 1 && stats.limit() == 3 && stats.waiting() == 0);
  }

  /** Waiters that poll do so many times a second. */
  @Test
  void aHeartbeatOfAWaiterWritesOnlyAfterAGoodPartOfItsTime() {
    holdAndWait();
    Object asWritten = versionOf(waiter);
    for (int i = 0; i < 3; i++) {
      assertThat(ask(Permits.heartbeat(waiter))).containsExactly(PermitState.WAITING);
    }
    assertThat(versionOf(waiter)).isEqualTo(asWritten);

    sql.execute("UPDATE syncguard_permits SET deadline_ms = deadline_ms - 601000");
    ask(Permits.heartbeat(waiter));
    assertThat(
            sql.number(
                "SELECT deadline_ms - " + NOW + " FROM syncguard_permits WHERE state = 'waiting'"))
        .isBetween(Permits.LONG.toMillis() - 60_000, Permits.LONG.toMillis());
  }

  /** It goes by the answer, and must not believe to live for longer than the store does. */
  @Test
  void everyHeartbeatOfAHolderWrites() {
    holdAndWait();
    Object before = versionOf(holder);
    assertThat(ask(Permits.heartbeat(holder))).containsExactly(PermitState.HOLDING);
    assertThat(versionOf(holder)).isNotEqualTo(before);
  }

  private Object versionOf(PermitReference permit) {
    return sql.value("SELECT xmin::text FROM syncguard_permits WHERE id = ?", permit.id().value());
  }

  /** What a crash must not undo is flushed when it commits, and nothing else is. */
  @Test
  void onlyWhatMakesOrKeepsAHolderOrTellsOfALimitWaitsForTheDisk() {
    String hold = "SELECT syncguard_semaphores_acquire_1('n', 'h', 1, 600000, 600000, 1, '')";
    String queue = "SELECT syncguard_semaphores_acquire_1('n', 'w', 1, 600000, 600000, 1, '')";
    assertThat(flushes(hold)).isTrue();
    assertThat(flushes(hold)).isTrue();
    assertThat(flushes(queue)).isFalse();
    assertThat(flushes("SELECT syncguard_semaphores_ping_1('n', '[\"w\"]', 600000)")).isFalse();
    assertThat(flushes("SELECT syncguard_semaphores_ping_1('n', '[\"w\",\"h\"]', 600000)"))
        .isTrue();
    assertThat(flushes("SELECT syncguard_semaphores_release_1('n', 'h')")).isFalse();
    assertThat(flushes(queue)).as("a confirmation").isTrue();
    assertThat(flushes("SELECT syncguard_semaphores_resize_1('n', 2)")).isTrue();
  }

  private boolean flushes(String step) {
    try (Connection connection = sql.begin()) {
      Sql.rowsOn(connection, step);
      Object setting =
          Sql.rowsOn(connection, "SHOW synchronous_commit").get(0).values().toArray()[0];
      connection.commit();
      return setting.equals("on");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A plan that was made when the table was tiny must not read all of a long queue. */
  @ParameterizedTest
  @ValueSource(strings = {"join", "leave", "heartbeat", "release"})
  void aStepInALongQueueReadsFewRows(String step) throws SQLException {
    try (Connection session = sql.begin()) {
      for (int round = 0; round < 6; round++) {
        Sql.rowsOn(session, ACQUIRE, NAME, "h", 1L);
        Sql.rowsOn(session, ACQUIRE, NAME, "last", 1L);
        readBy(session, step);
        Sql.rowsOn(session, "DELETE FROM syncguard_permits");
        Sql.rowsOn(session, "DELETE FROM syncguard_semaphores");
        session.commit();
        sql.execute("VACUUM ANALYZE syncguard_permits");
      }
      Sql.rowsOn(session, ACQUIRE, NAME, "h", 1L);
      for (int i = 0; i < 300; i++) {
        Sql.rowsOn(session, ACQUIRE, NAME, "w" + i, 1L);
      }
      Sql.rowsOn(session, ACQUIRE, NAME, "last", 1L);
      session.commit();
      assertThat(readBy(session, step)).isLessThan(20);
    }
  }

  /** The functions share what a sweep had planned when the table was tiny. */
  @Test
  void aStepInALongQueueReadsFewRowsAlsoAfterSweeps() throws SQLException {
    try (Connection session = sql.begin()) {
      for (int round = 0; round < 12; round++) {
        holdAndWait();
        die("true");
        sql.execute("VACUUM ANALYZE syncguard_permits");
        Sql.rowsOn(session, "SELECT syncguard_semaphores_sweep_1(0, 10)");
        session.commit();
      }
      Sql.rowsOn(session, ACQUIRE, NAME, "h", 1L);
      for (int i = 0; i < 300; i++) {
        Sql.rowsOn(session, ACQUIRE, NAME, "w" + i, 1L);
      }
      session.commit();
      die("id = 'w7'");
      assertThat(readBy(session, "release")).isLessThan(20);
    }
  }

  /** Returns how many permits this step reads. */
  private static long readBy(Connection session, String step) throws SQLException {
    long before = readSoFar(session);
    switch (step) {
      case "join" -> Sql.rowsOn(session, ACQUIRE, NAME, "new", 1L);
      case "leave" -> Sql.rowsOn(session, "SELECT syncguard_semaphores_release_1(?, 'last')", NAME);
      case "release" -> Sql.rowsOn(session, "SELECT syncguard_semaphores_release_1(?, 'h')", NAME);
      default ->
          Sql.rowsOn(session, "SELECT syncguard_semaphores_ping_1(?, '[\"last\"]', 600000)", NAME);
    }
    return readSoFar(session) - before;
  }

  /** PostgreSQL reports what a session has read at the end of some transaction, not within one. */
  private static long readSoFar(Connection session) throws SQLException {
    Object read =
        Sql.rowsOn(
                session,
                "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read"
                    + " FROM pg_stat_xact_user_tables WHERE relname = 'syncguard_permits'")
            .get(0)
            .get("read");
    return ((Number) read).longValue();
  }
}
