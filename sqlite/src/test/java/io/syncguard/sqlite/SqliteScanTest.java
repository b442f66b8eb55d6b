package io.syncguard.sqlite;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.scan.ScanSuite.all;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.lock.LockId;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Finding.Level;
import io.syncguard.spi.Store;
import io.syncguard.testkit.sql.Sql;
import java.io.RandomAccessFile;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a list is made from, and what is found out about a file. */
class SqliteScanTest {

  private static final String FENCE = "000000000000007";

  private final SqliteFixture fixture = new SqliteFixture();
  private final Store store = fixture.openClient();
  private final Sql sql = Sql.on(fixture.file());

  @AfterEach
  void close() {
    store.close();
    fixture.close();
  }

  private void storeLock(String key, String lockId, String fence) {
    long later = System.currentTimeMillis() + 600_000;
    sql.execute(
        "INSERT INTO syncguard_locks VALUES (?, ?, ?, 0, ?, ?)", key, lockId, later, fence, key);
  }

  @Test
  void anEmptyFileHasNothingToList() {
    assertThat(all(store.scanLocks())).isEmpty();
    assertThat(all(store.scanSemaphores())).isEmpty();
  }

  @Test
  void damagedRowsAreLeftOutAndTheOthersListed() {
    String sound = LockId.random().value();
    storeLock("sound", sound, FENCE);
    storeLock("a: no id", "no id", FENCE);
    storeLock("z: no fence", LockId.random().value(), "seven");
    assertThat(all(store.scanLocks()))
        .extracting(lock -> lock.lockId().value())
        .containsExactly(sound);
  }

  @Test
  void aPageIsReadInTheOrderOfTheIndex() {
    SqlScript list = SqliteStore.files().read("lock/list", SqlScript.Effect.READ);
    assertThat(sql.rows("EXPLAIN QUERY PLAN " + list.statements().get(0).sql()))
        .extracting(row -> String.valueOf(row.get("detail")))
        .containsExactly("SEARCH syncguard_locks USING PRIMARY KEY (key>?)");
  }

  @Test
  void aClosedStoreListsNothing() {
    store.close();
    assertFails(Code.SERVICE_UNAVAILABLE, () -> all(store.scanLocks()));
    assertFails(Code.SERVICE_UNAVAILABLE, () -> all(store.scanSemaphores()));
    assertFails(Code.SERVICE_UNAVAILABLE, store::examine);
  }

  @Test
  void withASoundFileAllIsWell() {
    List<Finding> found = store.examine();
    assertThat(found)
        .allSatisfy(each -> assertThat(each.level()).isEqualTo(Level.OK))
        .extracting(Finding::subject)
        .containsExactly(
            "version", "integrity", "rights", "privacy", "persistence", "replication", "waiting");
    assertThat(found.get(0).detail()).startsWith("SQLite 3.");
  }

  @Test
  void aDamagedFileIsAFailure() throws Exception {
    store.close();
    long page = sql.number("SELECT rootpage FROM sqlite_master WHERE name = 'syncguard_locks'");
    try (RandomAccessFile file = new RandomAccessFile(fixture.file().toFile(), "rw")) {
      file.seek((page - 1) * sql.number("PRAGMA page_size"));
      file.write(new byte[16]);
    }
    try (Store damaged = fixture.openClient()) {
      assertThat(damaged.examine())
          .filteredOn(each -> each.level() == Level.FAILURE)
          .singleElement()
          .extracting(Finding::subject)
          .isEqualTo("integrity");
    }
  }
}
