package io.syncguard.spi.lock;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The locks of one store. Each operation is a single, atomic attempt; retrying, waiting, handles
 * and telemetry are built on top of it. Thread-safe.
 *
 * <p>All operations decide by {@link Liveness#isLive} on the clock that {@link #capabilities}
 * names. How they block and fail is the same for every primitive: {@link OperationExecutor}.
 */
public interface LockBackend {

  /** Returns at once what these locks can do. */
  LockCapabilities capabilities();

  /**
   * Returns an id for a new lock on the key. A store that has to find a lock by its id may mark it.
   */
  default LockId newLockId(ResourceKey key) {
    return LockId.random();
  }

  /**
   * Returns whether waiters have a queue in this store. If they have:
   *
   * <ul>
   *   <li>Every step that leaves a key without a live lock and with a queue grants the lock to the
   *       first waiter whose process lives, and tells it. So do steps that find a key so: {@link
   *       #acquire}, {@link #release}, {@link #keepWaiting}. Waiters of dead processes lose their
   *       places.
   *   <li>A grant is a lock like any other, with the next fence, under the waiter's id, that is
   *       kept for a short time only ({@link QueueTimes}) until the waiter confirms it: by {@link
   *       #extend}, or by {@link #acquire} again.
   *   <li>What cannot be granted, because the fences are used up or the store refuses to count
   *       them, is released all the same; the first waiter learns the reason when it asks.
   *   <li>Nothing is left of a queue when its last waiter has gone, or only what expires by itself.
   * </ul>
   */
  default boolean hasQueue() {
    return false;
  }

  /**
   * Takes the lock if it is free.
   *
   * <p>Where there is a queue, a lock is free for the caller if no lock is live, and no waiter
   * comes before. A caller whose id is found in a live record is granted it with the stored fence
   * and expiry; a grant to a waiter is confirmed thereby. In every case this is a sign of life of
   * the caller's process.
   */
  CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call);

  /**
   * Releases the lock if it is held under this id, confirmed or not, and gives up its place in the
   * queue otherwise, if the lock's key is known; a place given up is answered as released. Verifies
   * ownership before expiry, so that a late release cannot free the next holder's lock. Grants what
   * becomes free to the first in the queue, in the same step.
   */
  CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call);

  /**
   * Notes that this process lives, and with it all its waiters; grants each named key that has a
   * queue and no live lock; and tells, in the same order, which of the named waiters still wait.
   * Used only where there is a queue.
   */
  default CompletionStage<List<PlaceState>> keepWaiting(
      LockOperation.KeepWaiting signOfLife, Call call) {
    throw new UnsupportedOperationException("These locks have no queue");
  }

  /** Sets the lock's expiry to now plus the ttl if it is held under this id. */
  CompletionStage<ExtendResult> extend(LockOperation.Extend extend, Call call);

  /** Tells whether the lock is held. Changes nothing. */
  CompletionStage<Boolean> isLocked(LockOperation.IsLocked question, Call call);

  /** Finds the live lock on the key. Changes nothing. */
  CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindByKey question, Call call);

  /** Finds the live lock with this id. Changes nothing. */
  CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindById question, Call call);

  /**
   * Opens a waiter's interest and returns at once, without asking the store; empty if this store
   * cannot notify and has to be polled.
   *
   * <p>Where there is a queue, after an attempt was answered with {@link AcquireAttempt.Queued},
   * the waiter is told of its grant. Where there is none, after an attempt that {@linkplain
   * LockOperation.Acquire#waits waits} was contended, it is told to look when the lock may have
   * become free.
   *
   * @throws SyncGuardException if the store is closed
   */
  default Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
    return Optional.empty();
  }
}
