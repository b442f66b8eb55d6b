package io.syncguard.memory;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockId;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.QueueTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One atomic step on a key's record, while the map keeps others away from the key. Another waiter
 * that it concerns is told {@linkplain #finish afterwards}.
 */
final class LockStep {

  private final LockIndex index;
  private final Fences fences;
  private final LockWaiters waiters;
  private final StoreClock clock;

  /** Is read in the step, when the key's turn has come. */
  private long nowMs;

  private boolean isHeld;
  private boolean hasPlace;
  private long ticket;
  private @Nullable LockRecord granted;
  private @Nullable LockId refused;

  LockStep(LockIndex index, Fences fences, LockWaiters waiters, StoreClock clock) {
    this.index = index;
    this.fences = fences;
    this.waiters = waiters;
    this.clock = clock;
  }

  /** Returns whether the lock is the caller's. */
  boolean isHeld() {
    return isHeld;
  }

  /** Returns the caller's place in the queue, or 0 if it has none. */
  long ticket() {
    return ticket;
  }

  /** Returns whether the caller had a place to leave, or has one to keep. */
  boolean hasPlace() {
    return hasPlace;
  }

  LockRecord acquire(@Nullable LockRecord present, LockOperation.Acquire acquire) {
    nowMs = clock.nowMs();
    if (present == null) {
      return take(acquire, null, null);
    }
    LockId caller = acquire.lockId();
    LockQueue queue = present.queue;
    LockRecord settled = queue == null ? present : settleBefore(caller, present, queue);
    if (settled.isLiveAt(nowMs)) {
      if (settled.isOwnedBy(caller)) {
        isHeld = true;
        return confirm(settled, acquire.ttl());
      }
    } else if (queue == null || queue.isEmpty() || queue.isFirst(caller)) {
      return take(acquire, settled, queue);
    }
    if (acquire.waits()) {
      return join(settled, queue, caller);
    }
    return queue == null ? settled : goWithout(settled, queue, caller);
  }

  /** Grants what is free to the first waiter, unless that is the caller, who can take it. */
  private LockRecord settleBefore(LockId caller, LockRecord present, LockQueue queue) {
    if (queue.has(caller)) {
      waiters.noteAlive(nowMs);
    }
    forgetTheDead(queue);
    boolean isCallersTurn = queue.isEmpty() || queue.isFirst(caller);
    return isCallersTurn || present.isLiveAt(nowMs) ? present : grant(present, queue, present);
  }

  private LockRecord take(
      LockOperation.Acquire acquire, @Nullable LockRecord expired, @Nullable LockQueue queue) {
    LockId caller = acquire.lockId();
    Fence fence = fences.next(acquire.key());
    if (queue != null) {
      queue.leave(caller);
    }
    isHeld = true;
    return store(acquire.key(), caller, fence, acquire.ttl(), expired, queue);
  }

  private LockRecord confirm(LockRecord held, Duration ttl) {
    return QueueTimes.isUnconfirmed(held.acquiredAtMs, held.expiresAtMs)
        ? held.expiringAt(nowMs + ttl.toMillis())
        : held;
  }

  private LockRecord join(LockRecord present, @Nullable LockQueue queue, LockId caller) {
    LockQueue joined = queue == null ? new LockQueue() : queue;
    waiters.noteAlive(nowMs);
    ticket = joined.join(caller, waiters);
    return joined == present.queue ? present : present.with(joined);
  }

  private LockRecord goWithout(LockRecord present, LockQueue queue, LockId caller) {
    waiters.noteAlive(nowMs);
    queue.leave(caller);
    return queue.isEmpty() ? present.with(null) : present;
  }

  /** Returns what takes the place of a record that its holder releases; null for nothing. */
  @Nullable LockRecord release(LockRecord released, LockQueue queue) {
    nowMs = clock.nowMs();
    forgetTheDead(queue);
    return queue.isEmpty() ? null : grant(released, queue, LockRecord.ofNone(released.key, queue));
  }

  /** Has a waiter give up its place; returns null if nothing is to be kept. */
  @Nullable LockRecord leave(LockRecord present, LockId waiter) {
    LockQueue queue = present.queue;
    hasPlace = queue != null && queue.leave(waiter);
    return settle(present);
  }

  /** Looks whether a waiter has its place; returns null if nothing is to be kept. */
  @Nullable LockRecord keepWaiting(LockRecord present, LockId waiter) {
    LockRecord settled = settle(present);
    LockQueue queue = settled == null ? null : settled.queue;
    hasPlace = queue != null && queue.has(waiter);
    return settled;
  }

  /** Forgets the dead and grants what is free; returns null if nothing is to be kept. */
  @Nullable LockRecord settle(LockRecord present) {
    nowMs = clock.nowMs();
    LockQueue queue = present.queue;
    if (queue == null) {
      return present;
    }
    forgetTheDead(queue);
    if (queue.isEmpty()) {
      return present.isOfNone() ? null : present.with(null);
    }
    return present.isLiveAt(nowMs) ? present : grant(present, queue, present);
  }

  private void forgetTheDead(LockQueue queue) {
    if (!waiters.areAlive(nowMs)) {
      queue.clear();
    }
  }

  /** Grants the lock to the first waiter; what it is refused, it learns when it asks. */
  private LockRecord grant(LockRecord ended, LockQueue queue, LockRecord ifRefused) {
    LockId next = queue.first();
    Fence fence;
    try {
      fence = fences.next(ended.key);
    } catch (SyncGuardException e) {
      refused = next;
      return ifRefused;
    }
    queue.leave(next);
    granted = store(ended.key, next, fence, waiters.grantTime(next), ended, queue);
    return granted;
  }

  private LockRecord store(
      ResourceKey key,
      LockId owner,
      Fence fence,
      Duration ttl,
      @Nullable LockRecord replaced,
      @Nullable LockQueue queue) {
    LockQueue behind = queue == null || queue.isEmpty() ? null : queue;
    LockRecord stored = new LockRecord(key, owner, fence, nowMs, nowMs + ttl.toMillis(), behind);
    stored.replaced = replaced;
    index.add(stored);
    return stored;
  }

  /** Tells the waiter that this step concerned, once the step can be seen. */
  void finish() {
    if (granted != null) {
      index.forgetReplacedBy(granted);
      waiters.tellOfGrant(granted);
    }
    if (refused != null) {
      waiters.tellToLook(refused);
    }
  }
}
