package io.syncguard.spi.lock;

import io.syncguard.Subject;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.Outcome;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.telemetry.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What can be asked of a store's locks; {@link LockBackend} says what each means.
 *
 * @param <A> the answer
 */
public sealed interface LockOperation<A> extends Operation<A> {

  /** The name of {@link Acquire}, the same in SyncGuard clients of every language. */
  String ACQUIRE = "acquire";

  /** The name of {@link Release}. */
  String RELEASE = "release";

  /** The name of {@link Extend}. */
  String EXTEND = "extend";

  /** The name of {@link KeepWaiting}. */
  String KEEP_WAITING = "keepWaiting";

  /** The name of {@link IsLocked}. */
  String IS_LOCKED = "isLocked";

  /** The name of {@link FindByKey} and {@link FindById}. */
  String LOOKUP = "lookup";

  /**
   * One attempt to take a lock.
   *
   * @param key what to lock
   * @param lockId the id the lock will have; an attempt that finds its own id already stored,
   *     because the reply to an earlier attempt was lost, is granted with what is stored
   * @param ttl how long the lock lives; whole milliseconds, at least one
   * @param waits whether the caller waits. Where the store {@linkplain LockBackend#hasQueue has a
   *     queue}, it then takes a place in it or keeps the one that it has; if it does not wait, it
   *     has no place afterwards, not even one that it had before. Where the store has no queue, the
   *     caller has a {@link LockBackend#watch watch} open, so that a contended answer must be
   *     followed by a hint when the lock may have become free.
   */
  record Acquire(ResourceKey key, LockId lockId, Duration ttl, boolean waits)
      implements LockOperation<AcquireAttempt> {

    @Override
    public String label() {
      return ACQUIRE;
    }

    @Override
    public Subject subject() {
      return Subject.ofLock(key.value(), lockId.value());
    }

    @Override
    public CompletionStage<AcquireAttempt> on(Store store, Call call) {
      return store.locks().acquire(this, call);
    }

    @Override
    public Outcome outcome(AcquireAttempt answer) {
      if (answer instanceof AcquireAttempt.Granted) {
        return Outcome.DONE;
      }
      return Outcome.not(answer instanceof AcquireAttempt.Queued ? Reason.QUEUED : Reason.LOCKED);
    }
  }

  /** Gives up a lock, a grant that is not confirmed, or a place in the queue. */
  record Release(LockReference lock) implements LockOperation<ReleaseResult> {

    @Override
    public String label() {
      return RELEASE;
    }

    @Override
    public Subject subject() {
      return lock.subject();
    }

    @Override
    public CompletionStage<ReleaseResult> on(Store store, Call call) {
      return store.locks().release(this, call);
    }

    @Override
    public Outcome outcome(ReleaseResult answer) {
      return switch (answer) {
        case RELEASED -> Outcome.DONE;
        case EXPIRED -> Outcome.not(Reason.EXPIRED);
        case NOT_FOUND -> Outcome.not(Reason.NOT_FOUND);
      };
    }
  }

  /**
   * A sign of life for all of a process's waiters, whether they are named or not, and the question
   * which of those named still wait.
   *
   * @param waiters the first waiter of the process for each of some keys; at most {@link
   *     #MOST_WAITERS}
   */
  record KeepWaiting(List<LockReference> waiters) implements LockOperation<List<PlaceState>> {

    /** How many waiters one covers, so that a store is not busy with one for too long. */
    public static final int MOST_WAITERS = 250;

    /** Keeps a copy of the list. */
    public KeepWaiting {
      waiters = List.copyOf(waiters);
    }

    @Override
    public String label() {
      return KEEP_WAITING;
    }

    @Override
    public Subject subject() {
      return Subject.ofLock(null, null);
    }

    @Override
    public int ids() {
      return waiters.size();
    }

    @Override
    public CompletionStage<List<PlaceState>> on(Store store, Call call) {
      return store.locks().keepWaiting(this, call);
    }

    @Override
    public Outcome outcome(List<PlaceState> answer) {
      return Outcome.of(!answer.contains(PlaceState.GONE), Reason.LOST);
    }
  }

  /**
   * Sets a lock's expiry to now plus the ttl.
   *
   * @param ttl whole milliseconds, at least one
   */
  record Extend(LockReference lock, Duration ttl) implements LockOperation<ExtendResult> {

    @Override
    public String label() {
      return EXTEND;
    }

    @Override
    public Subject subject() {
      return lock.subject();
    }

    @Override
    public CompletionStage<ExtendResult> on(Store store, Call call) {
      return store.locks().extend(this, call);
    }

    @Override
    public Outcome outcome(ExtendResult answer) {
      if (answer.isExtended()) {
        return Outcome.DONE;
      }
      return Outcome.not(
          answer == ExtendResult.NotExtended.EXPIRED ? Reason.EXPIRED : Reason.NOT_FOUND);
    }
  }

  /** Asks whether a key is locked. */
  record IsLocked(ResourceKey key) implements LockOperation<Boolean> {

    @Override
    public String label() {
      return IS_LOCKED;
    }

    @Override
    public Subject subject() {
      return Subject.ofLock(key.value(), null);
    }

    @Override
    public CompletionStage<Boolean> on(Store store, Call call) {
      return store.locks().isLocked(this, call);
    }

    @Override
    public Outcome outcome(Boolean answer) {
      return answer ? Outcome.DONE : Outcome.NO;
    }
  }

  /** Looks for the live lock on a key. */
  record FindByKey(ResourceKey key) implements LockOperation<Optional<RawLockInfo>> {

    @Override
    public String label() {
      return LOOKUP;
    }

    @Override
    public Subject subject() {
      return Subject.ofLock(key.value(), null);
    }

    @Override
    public CompletionStage<Optional<RawLockInfo>> on(Store store, Call call) {
      return store.locks().find(this, call);
    }

    @Override
    public Outcome outcome(Optional<RawLockInfo> answer) {
      return answer.isPresent() ? Outcome.DONE : Outcome.NO;
    }
  }

  /** Looks for the live lock with an id. */
  record FindById(LockId lockId) implements LockOperation<Optional<RawLockInfo>> {

    @Override
    public String label() {
      return LOOKUP;
    }

    @Override
    public Subject subject() {
      return Subject.ofLock(null, lockId.value());
    }

    @Override
    public CompletionStage<Optional<RawLockInfo>> on(Store store, Call call) {
      return store.locks().find(this, call);
    }

    @Override
    public Outcome outcome(Optional<RawLockInfo> answer) {
      return answer.isPresent() ? Outcome.DONE : Outcome.NO;
    }
  }
}
