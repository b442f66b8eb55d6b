package io.syncguard.postgresql.queue;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.testkit.StoreSuite;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/** A key, its queue, and two processes that ask for it, by single steps of their stores. */
abstract class OnQueue extends OnPostgres {

  static final String KEY = "the key that all want";
  static final ResourceKey RESOURCE = ResourceKey.of(KEY);

  /** What a waiter was told: a grant, or null to look. */
  record Told(@Nullable Granted grant) {}

  /** Another process, as the database sees it. */
  final PostgresStore other = PostgresStore.connect(database.uri());

  OnQueue() {}

  OnQueue(int version) {
    super(version);
  }

  @AfterAll
  void closeTheOther() {
    other.close();
  }

  AcquireAttempt wait(PostgresStore process, LockId lockId) {
    return StoreSuite.ask(process, new LockOperation.Acquire(RESOURCE, lockId, TTL, true));
  }

  AcquireAttempt tryOnce(PostgresStore process, LockId lockId) {
    return StoreSuite.ask(process, new LockOperation.Acquire(RESOURCE, lockId, TTL, false));
  }

  /** Joins the queue, and returns the waiter's id. */
  LockId join(PostgresStore process) {
    LockId lockId = LockId.random();
    assertThat(wait(process, lockId)).isInstanceOf(Queued.class);
    return lockId;
  }

  /** Takes the lock, and returns its id. */
  LockId hold(PostgresStore process) {
    LockId lockId = LockId.random();
    assertThat(wait(process, lockId)).isInstanceOf(Granted.class);
    return lockId;
  }

  ReleaseResult release(PostgresStore process, LockId lockId) {
    return StoreSuite.ask(process, new LockOperation.Release(reference(lockId)));
  }

  static LockReference reference(LockId lockId) {
    return new LockReference(lockId, RESOURCE);
  }

  List<PlaceState> keepWaiting(PostgresStore process, LockId... waiters) {
    return StoreSuite.ask(
        process,
        new LockOperation.KeepWaiting(Arrays.stream(waiters).map(OnQueue::reference).toList()));
  }

  /** Watches for a waiter until the listening connection listens. */
  BlockingQueue<Told> watch(PostgresStore process, LockId lockId) throws InterruptedException {
    BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    Watch watch =
        process
            .locks()
            .watch(
                reference(lockId),
                new WaiterHints<>() {
                  @Override
                  public void look() {
                    told.add(new Told(null));
                  }

                  @Override
                  public void granted(Granted grant) {
                    told.add(new Told(grant));
                  }
                })
            .orElseThrow();
    eventually(() -> assertThat(watch.isTold()).isTrue());
    return told;
  }

  String owner() {
    return String.valueOf(sql.value("SELECT lock_id FROM syncguard_locks WHERE key = ?", KEY));
  }

  /** Returns what is left for the lock to live, as it is stored. */
  long lifeLeftMs() {
    return sql.number("SELECT expires_at_ms - " + NOW + " FROM syncguard_locks WHERE key = ?", KEY);
  }

  void letTheLockExpire() {
    sql.execute("UPDATE syncguard_locks SET expires_at_ms = " + NOW + " - 1001");
  }

  /** As after three seconds without a sign of life. */
  void letTheProcessDie(LockId waiter) {
    sql.execute(
        "UPDATE syncguard_processes SET alive_until_ms = "
            + (NOW + " - 1 WHERE process = (SELECT process FROM syncguard_waiters")
            + " WHERE lock_id = ?)",
        waiter.value());
  }

  long rowsOfQueues() {
    return sql.number(
        "SELECT (SELECT count(*) FROM syncguard_queues) + (SELECT count(*) FROM syncguard_waiters)");
  }

  static Granted granted(AcquireAttempt attempt) {
    assertThat(attempt).isInstanceOf(Granted.class);
    return (Granted) attempt;
  }

  static Queued queued(AcquireAttempt attempt) {
    assertThat(attempt).isInstanceOf(Queued.class);
    return (Queued) attempt;
  }
}
