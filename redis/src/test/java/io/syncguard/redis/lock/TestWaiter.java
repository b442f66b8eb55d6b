package io.syncguard.redis.lock;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One id that asks a store for a lock, and hears its hints; nothing happens by itself. */
final class TestWaiter implements WaiterHints<Granted>, AutoCloseable {

  static final Duration TTL = Duration.ofSeconds(30);

  private static final long PATIENCE_S = 20;

  final LockId id;
  final BlockingQueue<Granted> grants = new LinkedBlockingQueue<>();
  final BlockingQueue<Boolean> looks = new LinkedBlockingQueue<>();
  private final Store store;
  private final ResourceKey key;
  private final Watch watch;

  TestWaiter(Store store, String key) {
    this.store = store;
    this.key = ResourceKey.of(key);
    this.id = store.locks().newLockId(this.key);
    this.watch = store.locks().watch(reference(), this).orElseThrow();
  }

  /** Returns one that has a place in the queue. */
  static TestWaiter queued(Store store, String key) {
    TestWaiter waiter = new TestWaiter(store, key);
    waiter.join();
    return waiter;
  }

  /** Returns one that has the lock. */
  static TestWaiter holder(Store store, String key) {
    TestWaiter holder = new TestWaiter(store, key);
    assertThat(holder.attempt()).isInstanceOf(Granted.class);
    return holder;
  }

  LockReference reference() {
    return new LockReference(id, key);
  }

  /** Asks as a waiter does. */
  AcquireAttempt await() {
    return ask(store, new LockOperation.Acquire(key, id, TTL, true));
  }

  /** Asks as a waiter does that has to wait; returns its ticket. */
  long join() {
    AcquireAttempt answer = await();
    assertThat(answer).isInstanceOf(Queued.class);
    return ((Queued) answer).ticket();
  }

  /** Asks once, and does not wait. */
  AcquireAttempt attempt() {
    return ask(store, new LockOperation.Acquire(key, id, TTL, false));
  }

  ReleaseResult release() {
    return ask(store, new LockOperation.Release(reference()));
  }

  ExtendResult extend() {
    return ask(store, new LockOperation.Extend(reference(), TTL));
  }

  PlaceState keepWaiting() {
    return ask(store, new LockOperation.KeepWaiting(List.of(reference()))).get(0);
  }

  /** Blocks until the store has told of a grant. */
  Granted told() throws InterruptedException {
    @Nullable Granted grant = grants.poll(PATIENCE_S, TimeUnit.SECONDS);
    assertThat(grant).as("a grant that the store tells of").isNotNull();
    return grant;
  }

  /** Blocks until the store has told to look. */
  void toldToLook() throws InterruptedException {
    assertThat(looks.poll(PATIENCE_S, TimeUnit.SECONDS)).as("to be told to look").isNotNull();
  }

  boolean isTold() {
    return watch.isTold();
  }

  @Override
  public void look() {
    looks.add(true);
  }

  @Override
  public void granted(Granted grant) {
    grants.add(grant);
  }

  @Override
  public void close() {
    watch.close();
  }
}
