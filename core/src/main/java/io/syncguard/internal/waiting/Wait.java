package io.syncguard.internal.waiting;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.AttemptTime;
import io.syncguard.internal.Failures;
import io.syncguard.internal.GuardContext;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One caller's wait: when to ask the store, what an answer means, when to give up. It neither
 * blocks nor asks by itself; {@link BlockingWait} and {@link AsyncWait} do so on its behalf.
 *
 * <pre>
 *            ┌─────── told to look, pause over, place lost ──────┐
 *            ▼                                                   │
 *  DUE ── asked ──▶ ASKING ── has a place ──▶ PLACED ────────────┤
 *                     │  │                      │                │
 *                     │  └── busy, failed ──▶ PAUSING ───────────┘
 *                     │                         │
 *                     └── granted ──▶ got       └── the time is over ──▶ DUE, for the last time
 *                          ▲
 *  PLACED ── told of a fresh grant
 * </pre>
 *
 * <p>Only {@link #look}, {@link #told} and {@link #stillPlacedAt} may be called by any thread.
 *
 * @param <A> what the store answers
 * @param <G> what a store tells a waiter of its grant
 * @param <H> what is waited for
 */
public abstract class Wait<A, G, H> {

  private enum State {
    DUE,
    ASKING,
    PLACED,
    PAUSING
  }

  /** This share of a grant's time must be left, so that its confirmation surely comes in time. */
  private static final int LEAST_SHARE_OF_GRANT = 4;

  private final GuardContext guard;
  private final TimeSource time;
  private final CancelSignal signal;
  private final Duration maxWait;
  private final long startedAt;
  private final long deadline;
  private final AtomicReference<@Nullable G> notice = new AtomicReference<>();

  private volatile Runnable wakeUp = () -> {};
  private volatile boolean toldToLook;
  private State state = State.DUE;
  private boolean last;
  private boolean pauseIsOver;
  private long askedAt;
  private long dueAt;
  private long placedAt;
  private boolean isPlaced;
  private boolean lostAPlace;
  private long ticket;
  private boolean inDoubt;
  private long inDoubtSince;
  private int failures;
  private @Nullable SyncGuardException lastFailure;

  /** Begins now. */
  protected Wait(GuardContext guard, CancelSignal signal, Duration maxWait) {
    this.guard = guard;
    this.time = guard.time();
    this.signal = signal;
    this.maxWait = maxWait;
    this.startedAt = time.nanoTime();
    this.deadline = startedAt + TimeSource.saturatedNanos(maxWait);
  }

  /** Returns what is waited for, for events and failures. */
  protected abstract Subject subject();

  /** Returns what to ask the store. */
  protected abstract Operation<A> question(boolean last);

  /**
   * Takes an answer: returns what was got, or null after one of {@link #keepPlace}, {@link
   * #askAgainIn}; throws if the wait is over.
   */
  protected abstract @Nullable H read(A answer);

  /**
   * Takes a grant that the store told of and keeps until it is confirmed; returns null if it is of
   * no use any more.
   *
   * @param keptUntil until when it is surely kept
   */
  protected abstract @Nullable H begin(G grant, long keptUntil);

  /** Returns for how long the store keeps a grant that it told of, in nanoseconds. */
  protected abstract long grantNanos();

  /** Returns how long to pause after so many failures in a row, in nanoseconds. */
  protected abstract long pauseNanos(int failures);

  /** Returns whether a store that failed so may be asked again. */
  protected boolean isWorthAskingAgain(SyncGuardException failure, int failures) {
    return failure.isTransient();
  }

  /** Notes that the wait begins, before it is checked whether it may. */
  protected void begun() {}

  /** Notes that what was waited for is in hand, and nothing is left in the queue. */
  protected void succeeded() {}

  /** Leaves the queue, and gives up what the store may hold for this caller. */
  protected abstract void gaveUp();

  /** Gives back what was got for a caller who does not want it any more. */
  protected abstract void giveBack(H got);

  protected final GuardContext guard() {
    return guard;
  }

  protected final TimeSource time() {
    return time;
  }

  final CancelSignal signal() {
    return signal;
  }

  /** Has this run when there is something to do; it must not block. */
  final void wakeBy(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  /** Has the store asked: something may have changed. */
  public final void look() {
    toldToLook = true;
    wakeUp.run();
  }

  /** Takes that the store has granted what is waited for. */
  protected final void told(G grant) {
    notice.set(grant);
    wakeUp.run();
  }

  /** Fails if the guard takes no acquisitions any more, or this one was called off. */
  final void throwIfCalledOff(boolean blocking) {
    guard
        .operations()
        .pass(
            subject(),
            "acquire",
            () -> {
              if (blocking) {
                guard.entrance().throwIfAborted(signal);
              } else {
                guard.entrance().throwIfCancelled(signal);
              }
            });
  }

  /**
   * Fails if the wait was called off and need not learn what the store answers; that the attempt is
   * called off, too, the store reports.
   */
  final void throwIfNotWorthTheAnswer() {
    if (!needsAnswer()) {
      guard.entrance().throwIfCancelled(signal);
    }
  }

  /** Returns whether an answer may grant something that has to be given back. */
  protected boolean needsAnswer() {
    return true;
  }

  /** Returns what the store has told of, if that is still sure to be kept; else has it asked. */
  final @Nullable H takeGrant() {
    if (state == State.ASKING) {
      return null;
    }
    G grant = notice.getAndSet(null);
    if (grant == null) {
      return null;
    }
    long keptUntil = placedAt() + grantNanos();
    boolean isFresh = keptUntil - time.nanoTime() >= grantNanos() / LEAST_SHARE_OF_GRANT;
    H got =
        state == State.PLACED && !inDoubt && !lostAPlace && isFresh
            ? begin(grant, keptUntil)
            : null;
    if (got == null) {
      state = State.DUE;
    }
    return got;
  }

  /** Returns how long to sleep; zero if the store is to be asked now. */
  final long napNanos() {
    long untilDeadline = nanosLeft();
    if (untilDeadline <= 0 || isSingleAttempt()) {
      last = true;
      return 0;
    }
    if (!mayAsk()) {
      return untilDeadline;
    }
    if (toldToLook || state == State.DUE) {
      return 0;
    }
    return state == State.PLACED
        ? untilDeadline
        : Math.max(0, Math.min(untilDeadline, dueAt - time.nanoTime()));
  }

  /** Returns whether no other waiter of this process comes first; if one does, a look ends that. */
  protected boolean mayAsk() {
    return true;
  }

  /** Notes that an attempt begins and returns what to ask the store. */
  final Operation<A> attempt() {
    pauseIsOver = state == State.PAUSING && !toldToLook && !last;
    toldToLook = false;
    state = State.ASKING;
    askedAt = time.nanoTime();
    return question(last);
  }

  /** Returns whether nothing but the end of a pause caused this attempt. */
  protected final boolean isCausedByTimer() {
    return pauseIsOver;
  }

  /** Returns whether there is only one attempt. */
  protected boolean isSingleAttempt() {
    return maxWait.isZero();
  }

  /** Returns how long the store may take to answer an attempt that begins now. */
  final Call call() {
    return Call.of(signal).within(AttemptTime.within(maxWait, nanosLeft()));
  }

  /** Returns what is left of the time to wait. */
  protected final long nanosLeft() {
    return deadline - time.nanoTime();
  }

  protected final Duration maxWait() {
    return maxWait;
  }

  protected final Duration waited() {
    return Duration.ofNanos(time.nanoTime() - startedAt);
  }

  /** Takes the store's answer; returns what was got, or null if the wait goes on. */
  final @Nullable H answered(A answer) {
    lastFailure = null;
    failures = 0;
    return read(answer);
  }

  /** Returns since when the store may have counted what the answer grants. */
  protected final long grantedSince() {
    return inDoubt ? inDoubtSince : askedAt;
  }

  /** Returns when the attempt that was answered began. */
  protected final long askedAt() {
    return askedAt;
  }

  /** Returns whether this attempt is the last. */
  protected final boolean isLast() {
    return last;
  }

  /** Returns what the store failed with when it was asked last, if it failed. */
  protected final @Nullable SyncGuardException lastFailure() {
    return lastFailure;
  }

  /** Returns whether the store may hold something for this caller that it was not told of. */
  protected final boolean isInDoubt() {
    return inDoubt;
  }

  /**
   * Takes that the waiter has a place in the queue, and sleeps until it is told something.
   *
   * @param ticket which place; after another one, a grant that it is told of may be one that it was
   *     too slow to take at the earlier place, and is asked for
   */
  protected final void keepPlace(long ticket) {
    notGranted();
    stillPlacedAt(askedAt);
    lostAPlace |= isPlaced && this.ticket != ticket;
    isPlaced = true;
    this.ticket = ticket;
    state = State.PLACED;
  }

  /** Notes that the waiter had its place, and had been granted nothing, at that time. */
  protected final synchronized void stillPlacedAt(long askedAt) {
    placedAt = placedAt == 0 || askedAt - placedAt > 0 ? askedAt : placedAt;
  }

  private synchronized long placedAt() {
    return placedAt;
  }

  /** Takes that the store is to be asked again after a while, or when there is a hint. */
  protected final void askAgainIn(long nanos) {
    notGranted();
    pause(nanos);
  }

  private void notGranted() {
    if (inDoubt) {
      inDoubtSince = askedAt;
    }
  }

  /** Takes that what was granted was of no use, and was given up: the wait begins anew. */
  protected final void beginAnew(SyncGuardException reason) {
    if (last) {
      throw reason;
    }
    inDoubt = false;
    lastFailure = reason;
    state = State.DUE;
  }

  private void pause(long nanos) {
    dueAt = time.nanoTime() + Math.min(nanos, Math.max(0, nanosLeft()));
    state = nanos == 0 ? State.DUE : State.PAUSING;
  }

  /** Takes a failed attempt; throws if the wait is over, otherwise it goes on. */
  final void failed(Throwable thrown) {
    SyncGuardException failure = Failures.asSyncGuardException(thrown, subject());
    if (failure.isOutcomeUnknown() && !inDoubt) {
      inDoubt = true;
      inDoubtSince = askedAt;
    }
    if (last || !isWorthAskingAgain(failure, failures + 1) || nanosLeft() <= 0) {
      // Closing pulls the store away from under its users, who then fail in many ways.
      guard.entrance().throwIfClosed();
      throw failure;
    }
    lastFailure = failure;
    pause(pauseNanos(failures++));
  }

  /** Takes that the wait is over, with what was waited for. */
  final void endWith(@Nullable Throwable unwanted) {
    succeeded();
    guard.waited(subject(), unwanted, startedAt);
  }

  /** Takes that the wait is over, without what was waited for. */
  final void endWithout(Throwable reason) {
    gaveUp();
    guard.waited(subject(), reason, startedAt);
  }
}
