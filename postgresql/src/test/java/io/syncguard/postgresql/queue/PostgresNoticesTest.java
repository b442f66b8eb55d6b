package io.syncguard.postgresql.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.PlaceState;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a waiter is told, and where. */
class PostgresNoticesTest extends OnQueue {

  private static @Nullable Granted next(BlockingQueue<Told> told) throws InterruptedException {
    Told next = told.poll(20, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next.grant();
  }

  /** Returns the lock as it is stored. */
  private Granted stored() {
    return new Granted(
        Fence.parse(String.valueOf(sql.value("SELECT fence FROM syncguard_locks"))),
        Instant.ofEpochMilli(sql.number("SELECT expires_at_ms FROM syncguard_locks")));
  }

  /** A waiter joins, its process listens, and the waiter has shown where it is to be told. */
  private BlockingQueue<Told> joinAndWatch(PostgresStore process, LockId waiter) throws Exception {
    queued(wait(process, waiter));
    BlockingQueue<Told> told = watch(process, waiter);
    queued(wait(process, waiter));
    told.clear();
    return told;
  }

  @Test
  void aReleaseTellsTheNextOfAnotherProcessItsFenceAndItsExpiry() throws Exception {
    LockId holder = hold(store);
    BlockingQueue<Told> told = joinAndWatch(other, LockId.random());
    release(store, holder);
    assertThat(next(told)).isEqualTo(stored());
  }

  @Test
  void aReleaseTellsTheNextOfItsOwnProcessBeforeItIsOver() throws Exception {
    LockId holder = hold(store);
    LockId waiter = LockId.random();
    BlockingQueue<Told> told = joinAndWatch(store, waiter);
    release(store, holder);
    assertThat(told.poll()).isEqualTo(new Told(stored()));
    sql.execute("SELECT pg_notify((SELECT channel FROM syncguard_processes), ?)", waiter.value());
    assertThat(next(told)).as("no notification of the same before this one").isNull();
  }

  @Test
  void aNewcomerThatFindsAFreeLockTellsTheFirst() throws Exception {
    hold(store);
    BlockingQueue<Told> told = joinAndWatch(other, LockId.random());
    letTheLockExpire();
    wait(store, LockId.random());
    assertThat(next(told)).isEqualTo(stored());
  }

  @Test
  void aSignOfLifeThatFindsAFreeLockTellsTheFirst() throws Exception {
    hold(store);
    BlockingQueue<Told> told = joinAndWatch(other, LockId.random());
    LockId second = join(store);
    letTheLockExpire();
    keepWaiting(store, second);
    assertThat(next(told)).isEqualTo(stored());
  }

  @Test
  void onlyTheWaiterThatIsGrantedIsTold() throws Exception {
    LockId holder = hold(store);
    BlockingQueue<Told> first = joinAndWatch(other, LockId.random());
    BlockingQueue<Told> second = joinAndWatch(other, LockId.random());
    release(store, holder);
    next(first);
    assertThat(second).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " 000000000000007", " 7 1", " 000000000000007 x"})
  void aNoticeThatDoesNotSayItAllHasTheWaiterLook(String rest) throws Exception {
    hold(store);
    LockId waiter = LockId.random();
    BlockingQueue<Told> told = joinAndWatch(other, waiter);
    sql.execute(
        "SELECT pg_notify((SELECT channel FROM syncguard_processes), ?)", waiter.value() + rest);
    assertThat(next(told)).isNull();
  }

  @Test
  void aWaiterThatCannotBeGrantedTheLockIsToldToLook() throws Exception {
    LockId holder = hold(store);
    BlockingQueue<Told> told = joinAndWatch(other, LockId.random());
    sql.execute("UPDATE syncguard_fence_counters SET fence = ?", Fence.MAX);
    release(store, holder);
    assertThat(next(told)).isNull();
  }

  @Test
  void whoLosesTheConnectionThatListensLooksWhenItIsBack() throws Exception {
    hold(store);
    BlockingQueue<Told> told = joinAndWatch(other, LockId.random());
    sql.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND query LIKE 'LISTEN%'");
    assertThat(next(told)).as("when it is lost").isNull();
    assertThat(next(told)).as("when it is back").isNull();
  }

  @Test
  void aWaiterThatPollsHasItsPlaceAndFindsItsGrantByAskingAgain() {
    try (PostgresStore polling = PostgresStore.connect(database.uri() + "?waiting=poll")) {
      LockId holder = hold(store);
      LockId waiter = join(polling);
      assertThat(polling.locks().watch(reference(waiter), WaiterHints.looking(() -> {}))).isEmpty();
      assertThat(sql.value("SELECT channel FROM syncguard_processes")).isEqualTo("");
      join(store);
      release(store, holder);
      assertThat(owner()).isEqualTo(waiter.value());
      assertThat(keepWaiting(polling, waiter)).containsExactly(PlaceState.GONE);
      granted(wait(polling, waiter));
    }
  }
}
