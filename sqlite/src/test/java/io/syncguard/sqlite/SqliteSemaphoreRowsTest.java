package io.syncguard.sqlite;

import static io.syncguard.testkit.StoreSuite.ask;
import static io.syncguard.testkit.semaphore.SemaphoreSuite.newPermit;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.sql.Permits;
import io.syncguard.testkit.sql.Sql;
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
  private final SqliteStore store = fixture.openClient();
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
    assertThat(ask(store, new SemaphoreOperation.Release(waiter)))
        .isEqualTo(PermitReleaseResult.LEFT_QUEUE);
    assertThat(ask(store, new SemaphoreOperation.Release(holder)))
        .isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(rows()).isZero();

    holdAndWait();
    ask(store, new SemaphoreOperation.Release(holder));
    assertThat(ask(store, new SemaphoreOperation.Release(waiter)))
        .isEqualTo(PermitReleaseResult.RELEASED);
    assertThat(rows()).isZero();
  }

  @Test
  void aHeartbeatOfAWaiterWritesOnlyAfterAGoodPartOfItsTime() {
    holdAndWait();
    long written = deadlineOf(waiter);
    fixture.time().advance(Permits.LONG.dividedBy(7));
    assertThat(ask(store, Permits.heartbeat(waiter))).containsExactly(PermitState.WAITING);
    assertThat(deadlineOf(waiter)).isEqualTo(written);

    fixture.time().advance(Permits.LONG.dividedBy(7));
    ask(store, Permits.heartbeat(waiter));
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
  void aWaiterThatGivesUpAfterAResizeIsToldThatItIsBusy() {
    holdAndWait();
    ask(store, new SemaphoreOperation.Resize(holder.name(), 3));
    ask(store, new SemaphoreOperation.Resize(holder.name(), 1));
    PermitReference last = newPermit(NAME);
    assertThat(Permits.ask(semaphores, last, 1)).isInstanceOf(PermitAttempt.Waiting.class);
    assertThat(Permits.ask(semaphores, last, 3, false)).isInstanceOf(PermitAttempt.Busy.class);
    assertThat(ask(store, new SemaphoreOperation.Release(last)))
        .isEqualTo(PermitReleaseResult.NOT_FOUND);
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
    assertThat(ask(store, new SemaphoreOperation.Release(stray)))
        .isEqualTo(PermitReleaseResult.NOT_FOUND);
    assertThat(rows()).isEqualTo(3);
  }

  /** SQLite must find each row by an index, and must not sort. */
  @ParameterizedTest
  @ValueSource(strings = {"settle", "acquire", "release", "ping", "resize", "granted"})
  void noStepReadsAWholeTable(String step) {
    ScriptFiles files = SqliteStore.files();
    for (SqlScript.Statement statement :
        files.read("semaphore/" + step, SqlScript.Effect.READ).statements()) {
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
