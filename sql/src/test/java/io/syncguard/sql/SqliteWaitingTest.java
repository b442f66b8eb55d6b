package io.syncguard.sql;

import static io.syncguard.testkit.lock.LockSuite.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.LockHandle;
import io.syncguard.testkit.Eventually;
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
  @EnumSource(Waiter.class)
  void aReleaseByAnotherClientIsNoticedAgainAndAgain(Waiter waiter) throws Exception {
    for (int i = 0; i < 20; i++) {
      LockHandle held = take(other.locks(), KEY, OnPostgres.TTL);
      CompletableFuture<LockHandle> waiting = waiter.waitFor(guard.locks(), KEY, Waiter.TOLD_ONLY);
      held.release();
      Waiter.got(waiting).release();
    }
  }

  /** SQLite deletes its log with the last connection. */
  @Test
  void nothingHasTheFileOpenAfterClosing() throws Exception {
    for (int i = 0; i < 20; i++) {
      take(other.locks(), KEY + i, OnPostgres.TTL);
      CompletableFuture<LockHandle> waiting =
          Waiter.BLOCKING.waitFor(guard.locks(), KEY + i, Waiter.TOLD_ONLY);
      guard.close();
      other.close();
      assertThat(directory.resolve("locks.db-wal")).doesNotExist();
      assertThat(waiting).failsWithin(20, TimeUnit.SECONDS);
      open();
    }
  }

  /** As by a client that is not ours, or by hand. */
  @Test
  void aRowThatSomebodyDeletesIsNoticed() throws Exception {
    take(other.locks(), KEY, OnPostgres.TTL);
    AtomicReference<LockHandle> got = new AtomicReference<>();
    Thread waiter = new Thread(() -> got.set(guard.locks().lock(KEY, Waiter.TOLD_ONLY)));
    waiter.start();
    Eventually.untilWaiting(waiter);
    Sql.on(directory.resolve("locks.db")).execute("DELETE FROM syncguard_locks");
    waiter.join(TimeUnit.SECONDS.toMillis(20));
    assertThat(got.get().fence().toLong()).isEqualTo(2);
  }

  @Test
  void waitersForSeveralLocksAreToldOfTheirOwn() throws Exception {
    LockHandle first = take(other.locks(), KEY, OnPostgres.TTL);
    LockHandle second = take(other.locks(), KEY + 2, OnPostgres.TTL);
    CompletableFuture<LockHandle> one =
        Waiter.BLOCKING.waitFor(guard.locks(), KEY, Waiter.TOLD_ONLY);
    CompletableFuture<LockHandle> two =
        Waiter.BLOCKING.waitFor(guard.locks(), KEY + 2, Waiter.TOLD_ONLY);
    second.release();
    Waiter.got(two);
    assertThat(one).isNotDone();
    first.release();
    Waiter.got(one);
  }
}
