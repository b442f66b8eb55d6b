package io.syncguard.sqlite;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Held;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.testkit.lock.LockSuite;
import io.syncguard.testkit.sql.BareLocks;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A process with waiters for one key, as its store sees it. */
record QueueClient(LockBackend locks, ResourceKey key) {

  /** What a waiter was told. */
  record Told(Queue<Granted> grants, AtomicInteger looks) implements WaiterHints<Granted> {

    Told() {
      this(new ConcurrentLinkedQueue<>(), new AtomicInteger());
    }

    @Override
    public void look() {
      looks.incrementAndGet();
    }

    @Override
    public void granted(Granted grant) {
      grants.add(grant);
    }
  }

  AcquireAttempt ask(LockId id, boolean waits) {
    return LockSuite.join(
        locks.acquire(new LockOperation.Acquire(key, id, BareLocks.TTL, waits), Call.plain()));
  }

  Granted take(LockId id) {
    return (Granted) ask(id, false);
  }

  /** Returns the ticket. */
  long join(LockId id) {
    return ((Queued) ask(id, true)).ticket();
  }

  boolean isRefused(LockId id) {
    return ask(id, false) instanceof Held;
  }

  ReleaseResult release(LockId id) {
    return LockSuite.join(locks.release(new LockOperation.Release(reference(id)), Call.plain()));
  }

  Object extend(LockId id) {
    return LockSuite.join(
        locks.extend(new LockOperation.Extend(reference(id), BareLocks.TTL), Call.plain()));
  }

  List<PlaceState> keepWaiting(LockId... ids) {
    return LockSuite.join(
        locks.keepWaiting(
            new LockOperation.KeepWaiting(Stream.of(ids).map(this::reference).toList()),
            Call.plain()));
  }

  /** Returns the id of the lock on the key. */
  LockId holder() {
    return LockSuite.join(locks.find(new LockOperation.FindByKey(key), Call.plain()))
        .orElseThrow()
        .lockId();
  }

  boolean isLocked() {
    return LockSuite.join(locks.isLocked(new LockOperation.IsLocked(key), Call.plain()));
  }

  Watch watch(LockId id, Told told) {
    return locks.watch(reference(id), told).orElseThrow();
  }

  private LockReference reference(LockId id) {
    return new LockReference(id, key);
  }
}
