package io.syncguard.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.AcquireAttempt.Granted;
import io.syncguard.spi.lock.AcquireAttempt.Queued;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import io.syncguard.testkit.StoreSuite;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Puts single steps to the locks of a bare store, which is one process's, and asserts what the
 * answers must be.
 *
 * @param store the client
 */
public record LockSteps(Store store) {

  /** Returns a lock that this client does not hold yet, under a new id. */
  public LockReference newLock(String name) {
    ResourceKey key = ResourceKey.of(name);
    return new LockReference(store.locks().newLockId(key), key);
  }

  /** Makes one attempt. */
  public AcquireAttempt attempt(LockReference lock, Duration ttl, boolean waits) {
    ResourceKey key = Objects.requireNonNull(lock.key());
    return StoreSuite.ask(store, new LockOperation.Acquire(key, lock.lockId(), ttl, waits));
  }

  /** Makes one attempt that does not wait, for a lock that does not expire. */
  public AcquireAttempt tryLock(LockReference lock) {
    return attempt(lock, StoreSuite.LONG, false);
  }

  /** Asks as a waiter does, for a lock that does not expire. */
  public AcquireAttempt ask(LockReference lock) {
    return attempt(lock, StoreSuite.LONG, true);
  }

  /** Takes a lock that must be free, or the waiter's own by a grant. */
  public Granted take(LockReference lock) {
    return granted(tryLock(lock));
  }

  /** Takes a lock that must be free, under a new id. */
  public LockReference take(String name) {
    LockReference lock = newLock(name);
    take(lock);
    return lock;
  }

  /** Takes a place that must be there to take, or keeps it; returns the ticket. */
  public long join(LockReference waiter) {
    AcquireAttempt answer = ask(waiter);
    assertThat(answer).isInstanceOf(Queued.class);
    return ((Queued) answer).ticket();
  }

  /** Takes a place under a new id. */
  public LockReference join(String name) {
    LockReference waiter = newLock(name);
    join(waiter);
    return waiter;
  }

  /** Returns an answer that must be a grant. */
  public static Granted granted(AcquireAttempt answer) {
    assertThat(answer).isInstanceOf(Granted.class);
    return (Granted) answer;
  }

  /** Gives up a lock or a place. */
  public ReleaseResult release(LockReference lock) {
    return StoreSuite.ask(store, new LockOperation.Release(lock));
  }

  /** Gives up a lock or a place that must be there. */
  public void leave(LockReference lock) {
    assertThat(release(lock)).isEqualTo(ReleaseResult.RELEASED);
  }

  /** Extends a lock. */
  public ExtendResult extend(LockReference lock, Duration ttl) {
    return StoreSuite.ask(store, new LockOperation.Extend(lock, ttl));
  }

  /** Shows that this process lives, and asks which of these waiters still wait. */
  public List<PlaceState> keepWaiting(LockReference... waiters) {
    return StoreSuite.ask(store, new LockOperation.KeepWaiting(List.of(waiters)));
  }

  /** Returns whether the key is locked. */
  public boolean isLocked(String name) {
    return StoreSuite.ask(store, new LockOperation.IsLocked(ResourceKey.of(name)));
  }

  /** Returns the live lock on a key, which must be there. */
  public RawLockInfo find(String name) {
    return StoreSuite.ask(store, new LockOperation.FindByKey(ResourceKey.of(name)))
        .orElseThrow(() -> new AssertionError("The key is not locked"));
  }

  /** Returns the id of the live lock on a key, which must be there. */
  public LockId holderOf(String name) {
    return find(name).lockId();
  }

  /** Returns for how long the live lock on a key was stored. */
  public Duration lifeOf(String name) {
    RawLockInfo found = find(name);
    return Duration.between(found.acquiredAt(), found.expiresAt());
  }
}
