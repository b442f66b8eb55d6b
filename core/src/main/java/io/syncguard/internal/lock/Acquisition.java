package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.AttemptTime;
import io.syncguard.internal.Failures;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockOptions;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One caller's way to a lock: when to try, what an answer means, when to give up. It neither blocks
 * nor asks the store itself; {@link BlockingWait} and {@link AsyncWait} do so on its behalf. Not
 * thread-safe.
 */
final class Acquisition {

  /** Why an attempt is made. Only one that a timer caused may count as a retry. */
  private enum Cause {
    INITIAL,
    TURN,
    HINT,
    TIMER,
    DEADLINE
  }

  /** How many races against other processes a waiter loses before it begins to sit some out. */
  private static final int RACES_TO_LOSE = 8;

  /** How long it then lets the others go first, at the most. */
  private static final long LONGEST_SIT_OUT_NANOS = Duration.ofMillis(5).toNanos();

  /** How long a waiter lets other processes go first after its own has had the lock for a while. */
  private static final long YIELD_NANOS = 300_000;

  /**
   * How long a waiter does not ask because its process holds the lock: it is told when this process
   * releases, but not if another process does so with the lockId.
   */
  private static final long LONGEST_UNASKED_NANOS = Duration.ofMillis(10).toNanos();

  /** How long a waiter further back sleeps before it looks whether it has become the first. */
  private static final long LONGEST_NAP_IN_LINE_NANOS = Duration.ofMillis(100).toNanos();

  private final LockEngine engine;
  private final TimeSource time;
  private final ResourceKey key;
  private final LockOptions options;
  private final CancelSignal signal;
  private final int mostRetries;
  private final long startedAt;
  private final long deadline;

  private LockId lockId;
  private Cause cause = Cause.INITIAL;
  private boolean attempted;
  private long attemptedAt;
  private boolean watched;
  private boolean askedAsFirst;
  private boolean waitingUnasked;
  private long waitingUnaskedUntil;
  private int polls;
  private int retries;
  private long nextAttemptAt;
  private int lostRaces;
  private boolean lostLastRace;
  private boolean sittingOut;
  private long sittingOutUntil;
  private boolean inDoubt;
  private long inDoubtSince;
  private @Nullable SyncGuardException lastFailure;

  Acquisition(LockEngine engine, ResourceKey key, LockOptions options, CancelSignal signal) {
    this.engine = engine;
    this.time = engine.time();
    this.key = key;
    this.options = options;
    this.signal = signal;
    this.mostRetries = options.mostRetries().orElse(Integer.MAX_VALUE);
    this.startedAt = time.nanoTime();
    this.deadline = startedAt + TimeSource.saturatedNanos(options.maxWait());
    this.lockId = engine.backend().newLockId(key);
  }

  ResourceKey key() {
    return key;
  }

  Subject subject() {
    return Subject.ofLock(key.value(), null);
  }

  /** Reports that the wait is over, without a failure if the lock was granted. */
  void reportEnd(@Nullable Throwable failure) {
    engine.guard().waited(subject(), failure, startedAt);
  }

  /** Returns whether the last attempt was answered, with another client holding the lock. */
  boolean isContended() {
    return attempted && lastFailure == null;
  }

  boolean hasAttempted() {
    return attempted;
  }

  /** Notes that an attempt begins and returns what to ask the store. */
  LockOperation.Acquire attempt(boolean watched) {
    attempted = true;
    attemptedAt = time.nanoTime();
    this.watched = watched;
    return request(watched);
  }

  /** Returns how long the store may take to answer an attempt that begins now. */
  Call call() {
    Duration left = AttemptTime.within(options.maxWait(), deadline - time.nanoTime());
    return Call.of(signal).within(left);
  }

  /** Returns the next attempt for others to make while the waiter sleeps. */
  Offer offer() {
    Offer.To to = lostLastRace || sittingOut ? Offer.To.RELEASER : Offer.To.ANY_THREAD;
    return new Offer(request(true), call(), to);
  }

  private LockOperation.Acquire request(boolean watched) {
    return new LockOperation.Acquire(key, lockId, options.ttl(), watched);
  }

  /** Notes that others have made the attempt; the answer is to follow. */
  void taken(Offer offer) {
    attempted = true;
    attemptedAt = offer.takenAt();
    sittingOut = false;
    askedAsFirst = !offer.isHandOver();
    cause = offer.isHandOver() ? Cause.TURN : Cause.HINT;
  }

  /** Returns how long to sleep before the next attempt; zero if it is due now. */
  long napNanos(WaitingLines.Place place) {
    long now = time.nanoTime();
    if (deadline - now <= 0) {
      cause = Cause.DEADLINE;
      return 0;
    }
    if (!place.isFirst()) {
      return Math.min(deadline - now, LONGEST_NAP_IN_LINE_NANOS);
    }
    boolean yielding = place.takeYielding();
    boolean hinted = place.takeHint();
    if (hinted && (yielding || lostLastRace)) {
      sittingOut = true;
      sittingOutUntil =
          now
              + (yielding
                  ? YIELD_NANOS
                  : ThreadLocalRandom.current().nextLong(LONGEST_SIT_OUT_NANOS));
      lostLastRace = false;
    }
    if (sittingOut) {
      if (sittingOutUntil - now > 0) {
        return Math.min(sittingOutUntil - now, deadline - now);
      }
      sittingOut = false;
      askedAsFirst = true;
      cause = Cause.TURN;
      return 0;
    }
    if (!hinted && !askedAsFirst && place.isLockHeldHere() && mostRetries > 0) {
      if (!waitingUnasked) {
        waitingUnasked = true;
        waitingUnaskedUntil = now + LONGEST_UNASKED_NANOS;
      }
      if (waitingUnaskedUntil - now > 0) {
        return Math.min(waitingUnaskedUntil - now, deadline - now);
      }
    }
    if (hinted || !askedAsFirst) {
      askedAsFirst = true;
      cause = hinted ? Cause.HINT : Cause.TURN;
      return 0;
    }
    if (nextAttemptAt - now <= 0) {
      cause = Cause.TIMER;
      return 0;
    }
    return Math.min(nextAttemptAt - now, deadline - now);
  }

  /** Says that the first attempt, made before joining the line, need not be repeated on joining. */
  void skipAskingOnJoining() {
    askedAsFirst = true;
  }

  /** Takes the store's answer; returns the handle, or null if the wait goes on. */
  @Nullable HeldLock answered(AcquireAttempt answer) {
    lastFailure = null;
    if (answer instanceof AcquireAttempt.Granted granted) {
      long requestedAt = inDoubt ? inDoubtSince : attemptedAt;
      HeldLock handle =
          engine.handle(request(watched), granted, requestedAt, engine.onReleaseError(options));
      if (handle.isHeld()) {
        options.autoExtend().ifPresent(handle::autoExtend);
        return handle;
      }
      handle.discard();
      lastFailure = LockEngine.grantedTooLate(request(watched));
      abandonLateGrant();
      planNext(0);
      return null;
    }
    if (inDoubt) {
      inDoubtSince = attemptedAt;
    }
    boolean lost = cause == Cause.HINT;
    lostRaces += lost ? 1 : 0;
    lostLastRace = lost && lostRaces >= RACES_TO_LOSE;
    planNext(TimeSource.saturatedNanos(((AcquireAttempt.Held) answer).remaining()));
    return null;
  }

  /**
   * The lock's lifetime was over before we learned of it; what we have is no lock to work under.
   */
  private void abandonLateGrant() {
    engine.releases().afterAbandonedAcquisition(reference(), options.ttl());
    inDoubt = false;
    lockId = engine.backend().newLockId(key);
  }

  /** Takes a failed attempt; throws if the wait is over, otherwise it goes on. */
  void failed(Throwable thrown) {
    SyncGuardException failure =
        Failures.asSyncGuardException(thrown, Subject.ofLock(key.value(), lockId.value()));
    if (failure.isOutcomeUnknown() && !inDoubt) {
      inDoubt = true;
      inDoubtSince = attemptedAt;
    }
    if (!failure.isTransient() || time.nanoTime() - deadline >= 0) {
      throw failure;
    }
    lastFailure = failure;
    planNext(Long.MAX_VALUE);
  }

  private void planNext(long holderRemaining) {
    if (attempted && attemptedAt - deadline >= 0) {
      throw givenUp("within " + options.maxWait());
    }
    if (cause == Cause.TIMER) {
      polls++;
      // A store that answers and will tell is not polled: the waiter waits.
      retries += lastFailure != null || !watched ? 1 : 0;
    }
    if (retries >= mostRetries) {
      throw givenUp("with " + retries + " retries");
    }
    long pause = RetryPauses.nanosBefore(polls, options.retry(), ThreadLocalRandom.current());
    long now = time.nanoTime();
    long untilDeadline = Math.max(0, deadline - now);
    nextAttemptAt = now + Math.min(untilDeadline, Math.min(pause, holderRemaining));
  }

  private SyncGuardException givenUp(String limit) {
    if (lastFailure != null) {
      return lastFailure;
    }
    Duration waited = Duration.ofNanos(time.nanoTime() - startedAt);
    boolean heldHere = engine.holdings().holdsOne(key.value());
    return new SyncGuardException(
        Code.ACQUISITION_TIMEOUT,
        "Could not acquire the lock on key "
            + key.label()
            + " "
            + limit
            + " (waited "
            + waited.toMillis()
            + (heldHere
                ? " ms): this process holds it already, and locks are not reentrant"
                : " ms): it is still held"),
        subject(),
        null);
  }

  /**
   * Must be called when the wait ends without a handle: the store may hold a lock for this caller.
   *
   * @param released runs when the store has been asked to release that, if it may hold one
   */
  void giveUp(Runnable released) {
    if (inDoubt) {
      engine.releases().afterAbandonedAcquisition(reference(), options.ttl(), released);
    } else {
      released.run();
    }
  }

  private LockReference reference() {
    return new LockReference(lockId, key);
  }
}
