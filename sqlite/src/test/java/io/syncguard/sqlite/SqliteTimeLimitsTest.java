package io.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.TimedOperations;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The wait for other processes that write, and for its turn, is part of an operation's time. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqliteTimeLimitsTest {

  @Test
  void everyOperationEndsByItsTimeWhileAnotherProcessWrites(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("locks.db");
    Store store =
        StoreProvider.openStore("sqlite:" + file + "?busyTimeout=30s", TimeSource.system());
    try (TimedOperations operations = new TimedOperations(store)) {
      try (Connection other = Sql.on(file).begin()) {
        Sql.rowsOn(other, "DELETE FROM syncguard_locks WHERE key = 'unknown'");
        operations.begin();
        operations.assertEndInTime();
        other.rollback();
      }
      assertThat(operations.guard().locks().isLocked("new")).isFalse();
    }
  }
}
