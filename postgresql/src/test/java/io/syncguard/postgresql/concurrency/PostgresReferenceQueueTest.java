package io.syncguard.postgresql.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.concurrency.ReferenceClient.Step;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client of the reference implementation, which knows no queue, beside clients that queue. */
class PostgresReferenceQueueTest extends OnPostgres {

  private static final String KEY = "k";
  private static final ResourceKey RESOURCE = ResourceKey.of(KEY);

  private final LockId waiter = LockId.random();

  private List<PlaceState> keepWaiting() {
    return ask(new LockOperation.KeepWaiting(List.of(new LockReference(waiter, RESOURCE))));
  }

  private Object waits() {
    return ask(new LockOperation.Acquire(RESOURCE, waiter, TTL, true));
  }

  private ReferenceClient takes() {
    ReferenceClient reference = new ReferenceClient(sql, KEY);
    List.of(Step.values()).forEach(reference::perform);
    return reference;
  }

  @Test
  void itsPlainDeleteIsNoticedByTheNextSignOfLife() {
    try (ReferenceClient reference = takes()) {
      assertThat(reference.believesToOwn()).isTrue();
      assertThat(waits()).isInstanceOf(Queued.class);
      assertThat(keepWaiting()).containsExactly(PlaceState.WAITING);
      sql.execute("DELETE FROM syncguard_locks WHERE lock_id = ?", reference.lockId().value());
      assertThat(keepWaiting()).containsExactly(PlaceState.GONE);
      assertThat(waits())
          .isInstanceOfSatisfying(
              Granted.class, lock -> assertThat(lock.fence()).isEqualTo(Fence.of(2)));
    }
  }

  /** In the moment after its own kind has released. */
  @Test
  void itMayTakeALockThatIsFreeBeforeTheFirstInTheQueue() {
    try (ReferenceClient before = takes()) {
      assertThat(waits()).isInstanceOf(Queued.class);
      sql.execute("DELETE FROM syncguard_locks WHERE lock_id = ?", before.lockId().value());
      try (ReferenceClient next = takes()) {
        assertThat(next.believesToOwn()).isTrue();
        assertThat(keepWaiting()).containsExactly(PlaceState.WAITING);
        sql.execute("DELETE FROM syncguard_locks WHERE lock_id = ?", next.lockId().value());
        assertThat(keepWaiting()).containsExactly(PlaceState.GONE);
        assertThat(sql.value("SELECT fence FROM syncguard_locks")).isEqualTo("000000000000003");
      }
    }
  }

  @Test
  void itDoesNotTakeWhatWasGrantedToAWaiter() {
    LockId holder = LockId.random();
    acquire(KEY, holder);
    assertThat(waits()).isInstanceOf(Queued.class);
    ask(new LockOperation.Release(new LockReference(holder, RESOURCE)));
    try (ReferenceClient reference = takes()) {
      assertThat(reference.believesToOwn()).isFalse();
    }
    assertThat(waits()).isInstanceOf(Granted.class);
  }

  @Test
  void aSignOfLifeDoesNotWaitForItsTransaction() {
    acquire(KEY, LockId.random());
    assertThat(waits()).isInstanceOf(Queued.class);
    sql.execute("DELETE FROM syncguard_locks");
    try (ReferenceClient reference = new ReferenceClient(sql, KEY)) {
      List.of(Step.LOCK_KEY, Step.LOOK, Step.COUNT_FENCE, Step.OVERWRITE)
          .forEach(reference::perform);
      assertThat(keepWaiting()).containsExactly(PlaceState.WAITING);
      reference.perform(Step.COMMIT);
      assertThat(reference.believesToOwn()).isTrue();
      assertThat(keepWaiting()).containsExactly(PlaceState.WAITING);
      assertThat(sql.value("SELECT lock_id FROM syncguard_locks"))
          .isEqualTo(reference.lockId().value());
    }
  }
}
