package io.syncguard.postgresql.stored;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.scan.ScanSuite.all;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.spi.Scan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a list is made from, and what is left out of it. */
class PostgresScanTest extends OnPostgres {

  private static final String FENCE = "000000000000007";

  @Test
  void emptyTablesHaveNothingToList() {
    assertThat(all(store.scanLocks())).isEmpty();
    assertThat(all(store.scanSemaphores())).isEmpty();
  }

  @Test
  void damagedRowsAreLeftOutAndTheOthersListed() {
    String sound = LockId.random().value();
    storeLock("sound", sound, FENCE, TTL);
    storeLock("a: no id", "no id", FENCE, TTL);
    storeLock("z: no fence", LockId.random().value(), "seven", TTL);
    assertThat(all(store.scanLocks()))
        .extracting(lock -> lock.lockId().value())
        .containsExactly(sound);
  }

  @Test
  void pagesOfDeadLocksDoNotEndTheWalk() {
    sql.execute(
        "INSERT INTO syncguard_locks SELECT 'dead ' || i, 'id ' || i, 0, 0, '"
            + FENCE
            + "', 'k' FROM generate_series(1, 1200) i");
    storeLock("last", LockId.random().value(), FENCE, Duration.ofHours(1));
    assertThat(all(store.scanLocks())).extracting(RawLockInfo::key).containsExactly("last");
  }

  @Test
  void aPageIsReadInTheOrderOfTheIndex() throws Exception {
    assertThat(planOf("lock/list", "k", 10L))
        .contains("Index Cond: (key > ")
        .doesNotContain("Sort");
    assertThat(planOf("semaphore/all_stats", "k", 10L)).contains("Index Cond: (name > ");
  }

  @Test
  void noTransactionStaysOpenBetweenPages() {
    storeLock("k", LockId.random().value(), FENCE, TTL);
    Scan<RawLockInfo> scan = store.scanLocks();
    scan.next(NEVER);
    assertThat(
            sql.number(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND application_name = 'syncguard' AND state LIKE 'idle in transaction%'"))
        .isZero();
    assertThat(scan.next(NEVER)).isEmpty();
  }

  @Test
  void aClosedStoreListsNothing() {
    PostgresStore closed = PostgresStore.connect(database.uri());
    Scan<RawLockInfo> begun = closed.scanLocks();
    closed.close();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> begun.next(NEVER));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> closed.scanSemaphores().next(NEVER));
    assertFails(Code.SERVICE_UNAVAILABLE, closed::examine);
  }
}
