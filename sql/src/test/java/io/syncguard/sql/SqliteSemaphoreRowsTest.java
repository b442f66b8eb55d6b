package io.syncguard.sql;

import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.SemaphoreBackend;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What semaphores leave in the file, and for how long. */
class SqliteSemaphoreRowsTest {

  private static final String NAME = "caf\u00e9 'quoted' \"twice\" \\ :id ? {locks}";

  private final SqliteFixture fixture = new SqliteFixture();
  private final SqliteStore store =
      SqliteStore.open(
          new SqliteFile(fixture.file(), SqliteFile.DEFAULT_BUSY_TIMEOUT), fixture.time());
  private final SemaphoreBackend semaphores = store.semaphores();
  private final Sql sql = Sql.on(fixture.file());
  private final PermitReference holder = newPermit(NAME);
  private final PermitReference waiter = newPermit(NAME);

  @AfterEach
  void close() {
    store.close();
    fixture.close();
  }

  private long rows() {
    return sql.number(
        "SELECT (SELECT count(*) FROM syncguard_semaphores)"
            + " + (SELECT count(*) FROM syncguard_permits)");
  }

  private void holdAndWait() {
    assertThat(Permits.ask(semaphores, holder, 1)).isInstanceOf(PermitAttempt.Held.class);
    assertThat(Permits.ask(semaphores, waiter, 1)).isInstanceOf(PermitAttempt.Waiting.class);
  }

  @Test
  void nothingIsLeftWhenTheLastOneGoes() {
    holdAndWait();
    assertThat(rows()).isEqualTo(3);
    assertThat(semaphores.release(waiter, OnPostgres.TTL))
        .isEqualTo(PermitReleaseResult.LEFT_QUEUE);
    assertThat(semaphores.release(holder, OnPostgres.TTL)).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(rows()).isZero();

    holdAndWait();
    semaphores.release(holder, OnPostgres.TTL);
    assertThat(semaphores.release(waiter, OnPostgres.TTL)).isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(rows()).isZero();
  }

  @Test
  void aHeartbeatOfAWaiterWritesOnlyAfterAGoodPartOfItsTime() {
    holdAndWait();
    long written = deadlineOf(waiter);
    fixture.time().advance(Permits.LONG.dividedBy(7));
    assertThat(semaphores.ping(Permits.heartbeat(waiter))).containsExactly(PermitState.WAITING);
    assertThat(deadlineOf(waiter)).isEqualTo(written);

    fixture.time().advance(Permits.LONG.dividedBy(7));
    semaphores.ping(Permits.heartbeat(waiter));
    assertThat(deadlineOf(waiter))
        .isGreaterThanOrEqualTo(written + Permits.LONG.toMillis() * 2 / 7);
  }

  private long deadlineOf(PermitReference permit) {
    return sql.number(
        "SELECT deadline_ms FROM syncguard_permits WHERE id = ?", permit.id().value());
  }

  @Test
  void refusedAttemptsLeaveNothing() {
    Permits.ask(semaphores, holder, 1);
    assertThat(Permits.ask(semaphores, waiter, 1, false)).isInstanceOf(PermitAttempt.Busy.class);
    assertThat(Permits.ask(semaphores, waiter, 2)).isEqualTo(new PermitAttempt.LimitDiffers(1));
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void whoStopsWaitingAfterAResizeIsToldThatItIsBusy() {
    holdAndWait();
    semaphores.resize(holder.name(), 3, OnPostgres.NEVER);
    semaphores.resize(holder.name(), 1, OnPostgres.NEVER);
    PermitReference last = newPermit(NAME);
    assertThat(Permits.ask(semaphores, last, 1)).isInstanceOf(PermitAttempt.Waiting.class);
    assertThat(Permits.ask(semaphores, last, 3, false)).isInstanceOf(PermitAttempt.Busy.class);
    assertThat(semaphores.release(last, OnPostgres.TTL)).isEqualTo(PermitReleaseResult.NOT_FOUND);
  }

  @Test
  void ofANameWhoseUsersAllDiedNothingIsLeftOnceItIsSwept() {
    holdAndWait();
    Permits.ask(semaphores, newPermit("alive"), 1);
    assertThat(store.sweeper().sweep()).isZero();
    sql.execute("UPDATE syncguard_permits SET deadline_ms = 1 WHERE name <> 'alive'");
    assertThat(store.sweeper().sweep()).isEqualTo(2);
    assertThat(sql.rows("SELECT name FROM syncguard_semaphores"))
        .containsExactly(Map.of("name", "alive"));
    assertThat(sql.rows("SELECT name FROM syncguard_permits"))
        .containsExactly(Map.of("name", "alive"));
  }

  @Test
  void ticketsIncreaseEvenIfTheClockWasSetBack() {
    holdAndWait();
    sql.execute("UPDATE syncguard_semaphores SET last_ticket = last_ticket + 3600000000");
    long last = sql.number("SELECT last_ticket FROM syncguard_semaphores");
    assertThat(Permits.ask(semaphores, newPermit(NAME), 1))
        .isEqualTo(new PermitAttempt.Waiting(last + 1));
    assertThat(Permits.ask(semaphores, newPermit(NAME), 1))
        .isEqualTo(new PermitAttempt.Waiting(last + 2));
  }

  @Test
  void anIdIsOfUseUnderItsOwnNameOnly() {
    holdAndWait();
    PermitReference stray = new PermitReference(newPermit("other").name(), holder.id());
    assertThat(semaphores.release(stray, OnPostgres.TTL)).isEqualTo(PermitReleaseResult.NOT_FOUND);
    assertThat(rows()).isEqualTo(3);
  }

  /** SQLite must find each row by an index, and must not sort. */
  @ParameterizedTest
  @ValueSource(strings = {"settle", "acquire", "release", "ping", "resize", "granted"})
  void noStepReadsAWholeTable(String step) {
    ScriptFiles parts = new ScriptFiles("sqlite", Map.of());
    ScriptFiles files =
        new ScriptFiles("sqlite", Map.of("settle", parts.readPart("semaphore/settle")));
    for (Script.Statement statement : files.read("semaphore/" + step).statements()) {
      List<Object> plan =
          sql.rows("EXPLAIN QUERY PLAN " + statement.sql()).stream()
              .map(row -> row.get("detail"))
              .toList();
      assertThat(plan)
          .allSatisfy(
              detail ->
                  assertThat(detail.toString())
                      .doesNotMatch("SCAN syncguard.*")
                      .doesNotContain("USE TEMP B-TREE FOR ORDER BY"));
    }
  }
}
