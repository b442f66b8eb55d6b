package io.syncguard.postgresql.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.testkit.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What queues leave in the tables, what of it is flushed, and how much of them a step reads. */
class PostgresQueueRowsTest extends OnQueue {

  private static final String ACQUIRE =
      "SELECT syncguard_locks_acquire_2('k', 'fence:k', 'k', '%s', 600000, %s, 'process', '')";
  private static final String RELEASE = "SELECT syncguard_locks_release_2('%s', 'k', '')";
  private static final String KEEP_WAITING =
      "SELECT syncguard_locks_wait_1('[\"%s\"]', 'process', '')";

  private static String id(String letter) {
    return letter.repeat(22);
  }

  private static String acquire(String letter) {
    return ACQUIRE.formatted(id(letter), 1);
  }

  private static String tryOnce(String letter) {
    return ACQUIRE.formatted(id(letter), 0);
  }

  private static String release(String letter) {
    return RELEASE.formatted(id(letter));
  }

  private static String keepWaiting(String letter) {
    return KEEP_WAITING.formatted(id(letter));
  }

  @Test
  void aCrashMustNotUndoWhatTakesConfirmsOrGrantsAndNothingElseWaitsForTheDisk() {
    assertThat(flushes(acquire("a"))).isTrue();
    assertThat(flushes(acquire("b"))).as("joining").isFalse();
    assertThat(flushes(acquire("b"))).as("asking again").isFalse();
    assertThat(flushes(acquire("c"))).isFalse();
    assertThat(flushes(tryOnce("d"))).as("asking once").isFalse();
    assertThat(flushes(keepWaiting("b"))).as("a sign of life").isFalse();
    assertThat(flushes(tryOnce("c"))).as("a last try that leaves the queue").isFalse();
    assertThat(flushes(release("a"))).as("a release that grants").isTrue();
    assertThat(flushes(acquire("b"))).as("a confirmation").isTrue();
    assertThat(flushes(acquire("e"))).isFalse();
    assertThat(flushes(release("e"))).as("leaving the queue").isFalse();
    assertThat(flushes(release("b"))).as("a release that grants nothing").isFalse();

    assertThat(flushes(acquire("f"))).isTrue();
    assertThat(flushes(acquire("g"))).isFalse();
    letTheLockExpire();
    assertThat(flushes(keepWaiting("g"))).as("a sign of life that grants").isTrue();
    assertThat(flushes(acquire("h"))).isFalse();
    letTheLockExpire();
    assertThat(flushes(tryOnce("i"))).as("an attempt that grants to another").isTrue();
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

  @Test
  void theTablesOfQueuesAreUnlogged() {
    assertThat(
            sql.number(
                "SELECT count(*) FROM pg_class WHERE relpersistence = 'u' AND relname IN"
                    + " ('syncguard_queues', 'syncguard_waiters', 'syncguard_processes')"))
        .isEqualTo(3);
  }

  @Test
  void attemptsThatDoNotWaitLeaveNothing() {
    hold(store);
    tryOnce(other, LockId.random());
    assertThat(rowsOfQueues()).isZero();
    assertThat(sql.rows("SELECT 1 FROM syncguard_processes")).isEmpty();
  }

  /** A process may have many waiters that ask often. */
  @Test
  void theLifeOfAProcessIsWrittenAFewTimesASecondOnly() {
    hold(store);
    LockId waiter = join(other);
    Object before = sql.value("SELECT xmin::text FROM syncguard_processes");
    wait(other, waiter);
    join(other);
    keepWaiting(other, waiter);
    assertThat(sql.value("SELECT xmin::text FROM syncguard_processes")).isEqualTo(before);
    sql.execute("UPDATE syncguard_processes SET alive_until_ms = alive_until_ms - 1000");
    keepWaiting(other, waiter);
    assertThat(sql.number("SELECT alive_until_ms - " + NOW + " FROM syncguard_processes"))
        .isGreaterThan(2000);
  }

  @Test
  void aSignOfLifeDoesNotWaitForWhoHasTheTurn() throws SQLException {
    hold(store);
    LockId waiter = join(other);
    letTheLockExpire();
    try (Connection busy = sql.begin()) {
      Sql.rowsOn(busy, "SELECT pg_advisory_xact_lock(hashtext(?))", KEY);
      assertThat(keepWaiting(other, waiter)).containsExactly(PlaceState.WAITING);
      busy.rollback();
    }
    keepWaiting(other, waiter);
    assertThat(owner()).isEqualTo(waiter.value());
  }

  @Test
  void processesAndTheirQueuesAreForgottenAMinuteAfterTheyDied() {
    hold(store);
    join(other);
    assertThat(sweep()).isZero();
    sql.execute("UPDATE syncguard_processes SET alive_until_ms = " + NOW + " - 59000");
    assertThat(sweep()).isZero();
    assertThat(rowsOfQueues()).isEqualTo(2);
    sql.execute("UPDATE syncguard_processes SET alive_until_ms = " + NOW + " - 61000");
    assertThat(sweep()).isEqualTo(1);
    assertThat(rowsOfQueues()).isZero();
    assertThat(sql.rows("SELECT 1 FROM syncguard_processes")).isEmpty();
    assertThat(sql.number("SELECT count(*) FROM syncguard_fence_counters")).isEqualTo(1);
  }

  @Test
  void aQueueInWhichAnyProcessLivesIsKept() {
    hold(store);
    LockId dead = join(other);
    join(store);
    sql.execute(
        "UPDATE syncguard_processes SET alive_until_ms = 0"
            + " WHERE process = (SELECT process FROM syncguard_waiters WHERE lock_id = ?)",
        dead.value());
    assertThat(sweep()).isZero();
    assertThat(sql.number("SELECT count(*) FROM syncguard_waiters")).isEqualTo(2);
  }

  @Test
  void aSweepLeavesAQueueAloneThatAnotherClientIsAt() throws SQLException {
    hold(store);
    join(other);
    sql.execute("UPDATE syncguard_processes SET alive_until_ms = 0");
    try (Connection busy = sql.begin()) {
      Sql.rowsOn(busy, "SELECT pg_advisory_xact_lock(hashtext(?))", KEY);
      assertThat(sweep()).isZero();
    }
    assertThat(rowsOfQueues()).isEqualTo(2);
  }

  /** With a transaction that keeps PostgreSQL from removing, and from skipping, deleted rows. */
  @Test
  void aHandOffReadsAsFewRowsOfTenThousandWaitersAsOfTen() throws SQLException {
    sql.execute(acquire("a"));
    sql.execute("INSERT INTO syncguard_queues VALUES ('k', 1, 10000, 'fence:k', 'k')");
    sql.execute("INSERT INTO syncguard_processes VALUES ('p', '', 9e15)");
    sql.execute(
        "INSERT INTO syncguard_waiters SELECT lpad(i::text, 22, '0'), 'k', i, 'p'"
            + " FROM generate_series(1, 10000) i");
    try (Connection old = sql.begin();
        Connection session = sql.open()) {
      Sql.rowsOn(old, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      Sql.rowsOn(old, "SELECT 1");
      handOff(session, 1);
      long first = readBy(session, 1);
      handOff(session, 300);
      assertThat(readBy(session, 1)).isLessThanOrEqualTo(first + 2);
      assertThat(first).isLessThan(20);
    }
  }

  private static void handOff(Connection session, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      Sql.rowsOn(
          session,
          "SELECT syncguard_locks_release_2(lock_id, key, '') FROM syncguard_locks WHERE key = 'k'");
    }
  }

  /** Returns how many entries of the waiters' index so many hand-offs read, deleted ones too. */
  private long readBy(Connection session, int handOffs) throws SQLException {
    long before = readSoFar(session);
    handOff(session, handOffs);
    return readSoFar(session) - before;
  }

  private long readSoFar(Connection session) throws SQLException {
    Sql.rowsOn(session, "SELECT pg_stat_force_next_flush()");
    return sql.number(
        "SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'syncguard_waiters'");
  }
}
