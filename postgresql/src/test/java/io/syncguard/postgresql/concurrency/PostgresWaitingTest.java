package io.syncguard.postgresql.concurrency;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.WayToWait;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A release tells the waiters, and no other client. */
class PostgresWaitingTest extends OnPostgres {

  private static final String KEY = "k";
  private static final String LISTENERS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND query LIKE 'LISTEN %'";

  private SyncGuard guard;
  private SyncGuard other;

  @BeforeEach
  void open() {
    guard = SyncGuard.open(database.uri(), GuardOptions.defaults().withKeepOnClose());
    other = SyncGuard.open(database.uri(), GuardOptions.defaults().withKeepOnClose());
  }

  @AfterEach
  void close() {
    guard.close();
    other.close();
  }

  private long waiters() {
    return sql.number("SELECT count(*) FROM syncguard_waiters");
  }

  @Test
  void withoutWaitersNoneIsNotedAndNoConnectionListens() {
    LockHandle lock = take(guard.locks(), KEY, TTL);
    assertThat(other.locks().tryLock(KEY, TTL).isAcquired()).isFalse();
    lock.extend(TTL);
    lock.release();
    guard.locks().lock(KEY, WayToWait.TOLD_ONLY).release();
    assertThat(waiters()).isZero();
    assertThat(sql.number(LISTENERS)).isZero();
  }

  @Test
  void aWaiterIsNotedUntilItIsTold() throws Exception {
    LockHandle held = take(other.locks(), KEY, TTL);
    CompletableFuture<LockHandle> waiting =
        WayToWait.BLOCKING.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    eventually(() -> assertThat(waiters()).isEqualTo(1));
    assertThat(sql.value("SELECT key FROM syncguard_waiters")).isEqualTo(KEY);
    held.release();
    WayToWait.got(waiting).release();
    assertThat(waiters()).isZero();
  }

  @Test
  void aProcessListensOnceHoweverManyWaitInIt() throws Exception {
    LockHandle first = take(other.locks(), KEY, TTL);
    LockHandle second = take(other.locks(), KEY + 2, TTL);
    CompletableFuture<LockHandle> one =
        WayToWait.ASYNC.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    CompletableFuture<LockHandle> two =
        WayToWait.ASYNC.waitFor(guard.locks(), KEY + 2, WayToWait.TOLD_ONLY);
    eventually(() -> assertThat(waiters()).isEqualTo(2));
    assertThat(sql.number("SELECT count(*) FROM syncguard_processes")).isEqualTo(1);
    eventually(() -> assertThat(sql.number(LISTENERS)).isEqualTo(1));
    second.release();
    WayToWait.got(two);
    assertThat(one).isNotDone();
    first.release();
    WayToWait.got(one);
  }

  /** The lock is freed by its id alone, as by a client that knows only the id. */
  @Test
  void aReleaseByTheIdTellsToo() throws Exception {
    LockId lockId = LockId.random();
    acquire(KEY, lockId);
    CompletableFuture<LockHandle> waiting =
        WayToWait.BLOCKING.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    eventually(() -> assertThat(waiters()).isEqualTo(1));
    ask(new LockOperation.Release(new LockReference(lockId, null)));
    WayToWait.got(waiting);
  }

  /** A trigger holds the release up when it has looked for waiters and has yet to commit. */
  @Test
  void aWaiterThatComesWhileTheLockIsBeingReleasedIsNotForgotten() throws Exception {
    LockId lockId = LockId.random();
    acquire(KEY, lockId);
    sql.execute(
        "CREATE FUNCTION held_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM pg_advisory_xact_lock_shared(1, 1); RETURN NULL; END $$");
    sql.execute(
        "CREATE CONSTRAINT TRIGGER held_up AFTER DELETE ON syncguard_locks"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION held_up()");
    try (Connection gate = sql.begin()) {
      Sql.rowsOn(gate, "SELECT pg_advisory_xact_lock(1, 1)");
      CompletableFuture<ReleaseResult> releasing =
          inBackground(() -> ask(new LockOperation.Release(new LockReference(lockId, null))));
      awaitBlocked(1);
      CompletableFuture<LockHandle> waiting =
          WayToWait.BLOCKING.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
      eventually(
          () ->
              assertThat(waiters() + sql.number("SELECT count(*) FROM pg_locks WHERE NOT granted"))
                  .as("the release, and the waiter, noted or blocked")
                  .isEqualTo(2));
      gate.commit();
      assertThat(releasing.get(20, TimeUnit.SECONDS)).isEqualTo(ReleaseResult.RELEASED);
      WayToWait.got(waiting);
    } finally {
      sql.execute("DROP FUNCTION held_up CASCADE");
    }
  }

  @Test
  void closingEndsTheConnectionThatListens() throws Exception {
    take(other.locks(), KEY, TTL);
    CompletableFuture<LockHandle> waiting =
        WayToWait.ASYNC.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    eventually(() -> assertThat(sql.number(LISTENERS)).isEqualTo(1));
    guard.close();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> join(waiting));
    eventually(() -> assertThat(sql.number(LISTENERS)).isZero());
  }
}
