package io.syncguard.sqlite;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.testkit.Eventually;
import io.syncguard.testkit.sql.BareLocks;
import io.syncguard.testkit.sql.Sql;
import io.syncguard.testkit.sql.WayToWait;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiters that never ask again by themselves. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqliteWaitingTest {

  private static final String KEY = "k";

  @TempDir private Path directory;
  private SyncGuard guard;
  private SyncGuard other;

  @BeforeEach
  void open() {
    guard =
        SyncGuard.open(
            "sqlite:" + directory.resolve("locks.db"), GuardOptions.defaults().withKeepOnClose());
    other =
        SyncGuard.open(
            "sqlite:" + directory.resolve("locks.db"), GuardOptions.defaults().withKeepOnClose());
  }

  @AfterEach
  void close() {
    guard.close();
    other.close();
  }

  @ParameterizedTest
  @EnumSource(WayToWait.class)
  void aReleaseByAnotherClientIsNoticedAgainAndAgain(WayToWait way) throws Exception {
    for (int i = 0; i < 20; i++) {
      LockHandle held = take(other.locks(), KEY, BareLocks.TTL);
      CompletableFuture<LockHandle> waiting = way.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
      held.release();
      WayToWait.got(waiting).release();
    }
  }

  /** SQLite deletes its log with the last connection. */
  @Test
  void nothingHasTheFileOpenAfterClosing() throws Exception {
    for (int i = 0; i < 20; i++) {
      take(other.locks(), KEY + i, BareLocks.TTL);
      CompletableFuture<LockHandle> waiting =
          WayToWait.BLOCKING.waitFor(guard.locks(), KEY + i, WayToWait.TOLD_ONLY);
      guard.close();
      other.close();
      assertThat(directory.resolve("locks.db-wal")).doesNotExist();
      assertThat(waiting).failsWithin(20, TimeUnit.SECONDS);
      open();
    }
  }

  /** As by another program, or by hand. */
  @Test
  void aRowThatIsDeletedIsNoticed() throws Exception {
    take(other.locks(), KEY, BareLocks.TTL);
    AtomicReference<LockHandle> got = new AtomicReference<>();
    Thread waiter = new Thread(() -> got.set(guard.locks().lock(KEY, WayToWait.TOLD_ONLY)));
    waiter.start();
    Eventually.untilWaiting(waiter);
    Sql.on(directory.resolve("locks.db")).execute("DELETE FROM syncguard_locks");
    waiter.join(TimeUnit.SECONDS.toMillis(20));
    assertThat(got.get().fence().toLong()).isEqualTo(2);
  }

  @Test
  void waitersForSeveralLocksAreToldOfTheirOwn() throws Exception {
    LockHandle first = take(other.locks(), KEY, BareLocks.TTL);
    LockHandle second = take(other.locks(), KEY + 2, BareLocks.TTL);
    CompletableFuture<LockHandle> one =
        WayToWait.BLOCKING.waitFor(guard.locks(), KEY, WayToWait.TOLD_ONLY);
    CompletableFuture<LockHandle> two =
        WayToWait.BLOCKING.waitFor(guard.locks(), KEY + 2, WayToWait.TOLD_ONLY);
    second.release();
    WayToWait.got(two);
    assertThat(one).isNotDone();
    first.release();
    WayToWait.got(one);
  }
}
