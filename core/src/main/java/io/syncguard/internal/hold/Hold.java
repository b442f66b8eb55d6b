package io.syncguard.internal.hold;

import io.syncguard.ReleaseErrorHandler;
import io.syncguard.Subject;
import io.syncguard.SyncGuard;
import io.syncguard.internal.Callbacks;
import io.syncguard.internal.Failures;
import io.syncguard.internal.GuardContext;
import io.syncguard.telemetry.HoldEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock or a permit in hand, whose time a {@link Lease} measures.
 *
 * <pre>
 * HELD ── release, close ──▶ LETTING_GO ── the store has answered ──▶ RELEASED
 *   │                                                                    ▲
 *   └── the lease ends, or the store says that it is gone ──▶ LOST ──────┘ release, close
 * </pre>
 *
 * <p>Who leaves HELD first decides how the hold ended: only a loss tells the loss listeners.
 *
 * @param <T> what the store knows it by
 * @param <R> how a release ended
 */
public abstract class Hold<T, R> {

  private static final Logger log = LoggerFactory.getLogger(SyncGuard.class);

  private enum State {
    HELD,
    LETTING_GO,
    RELEASED,
    LOST
  }

  private final GuardContext guard;
  private final Releases<T, R> releases;
  private final T reference;
  private final Subject subject;
  private final Lease lease;
  private final ReleaseErrorHandler onReleaseError;
  private final Holdings.Holding holding;
  private final List<Runnable> toTellOfLoss = new ArrayList<>();
  private volatile State state = State.HELD;
  private volatile boolean lost;
  private boolean reported;
  private int releasesBegun;
  private boolean closed;

  /** Holds something that the store has granted. */
  protected Hold(
      GuardContext guard,
      Holdings holdings,
      Releases<T, R> releases,
      T reference,
      Subject subject,
      Lease lease,
      ReleaseErrorHandler onReleaseError) {
    this.guard = guard;
    this.releases = releases;
    this.reference = reference;
    this.subject = subject;
    this.lease = lease;
    this.onReleaseError = onReleaseError;
    this.holding = holdings.of(this);
  }

  /** Begins to watch over the lease; called with this hold's lock, more than once. */
  protected abstract void watchOver();

  /** Ends the watch over the lease. */
  protected abstract void stopWatching();

  /** Returns after which time there is nothing left to release. */
  protected abstract Duration life();

  /** Returns the answer of a release that has nothing to release any more. */
  protected abstract R nothingToRelease();

  /** Returns whether the store has released something. */
  protected abstract boolean isReleased(R answer);

  /** Returns the answer of the store as its user is to have it. */
  protected R told(R answer) {
    return answer;
  }

  /** Takes that a loss was found out and no listener was there to be told. */
  protected void lostUntold() {}

  /** Notes that this is held from now on. */
  public final void enter() {
    holding.enter();
  }

  protected final T reference() {
    return reference;
  }

  protected final Lease lease() {
    return lease;
  }

  protected final GuardContext guard() {
    return guard;
  }

  /** Returns what this is about. */
  public final Subject subject() {
    return subject;
  }

  public final boolean isHeld() {
    return state == State.HELD && lease.remainingNanos() > 0;
  }

  /** Returns whether it was not lost, nor let go of. */
  protected final boolean isUnlost() {
    return state == State.HELD;
  }

  /** Returns whether it was lost. */
  protected final boolean isLost() {
    return state == State.LOST;
  }

  /** Returns whether its holder may rely on it, or is letting go of it. */
  final boolean isInUse() {
    return isHeld() || state == State.LETTING_GO;
  }

  /** Has a listener of the user's run on a loss, in a thread of its own. */
  protected final void tellUserOfLoss(Runnable listener) {
    Objects.requireNonNull(listener, "The listener must not be null");
    onLostHere(() -> Callbacks.run(listener));
  }

  /**
   * Has this run in the thread that finds out about a loss, such as the timer's: must not block.
   */
  public final void onLostHere(Runnable tell) {
    synchronized (this) {
      if (state == State.HELD) {
        toTellOfLoss.add(tell);
        watchOver();
        return;
      }
    }
    if (state == State.LOST) {
      tell.run();
    }
  }

  /** Takes that it is lost, for good, unless its holder has let go of it before. */
  public final void lose() {
    if (tellOfLoss() == 0) {
      lostUntold();
    }
    holding.leave();
  }

  /** Returns how many listeners were told; -1 if it was not held any more. */
  private int tellOfLoss() {
    List<Runnable> toTell;
    synchronized (this) {
      if (!leaveHeldFor(State.LOST)) {
        return -1;
      }
      toTell = List.copyOf(toTellOfLoss);
      toTellOfLoss.clear();
    }
    stopWatching();
    reportEnd(HoldEvent.End.LOST);
    toTell.forEach(Runnable::run);
    return toTell.size();
  }

  private boolean leaveHeldFor(State next) {
    if (state != State.HELD) {
      return false;
    }
    state = next;
    lost = next == State.LOST || lease.remainingNanos() <= 0;
    return true;
  }

  /** Takes that no user was given this, because its time is over: it was never a hold. */
  public final void discard() {
    synchronized (this) {
      reported = true;
    }
    lose();
  }

  /** Releases what no user was given, which was never a hold; returns at once. */
  public final void giveBack() {
    synchronized (this) {
      reported = true;
    }
    releasing();
  }

  private void reportEnd(HoldEvent.End end) {
    synchronized (this) {
      if (reported) {
        return;
      }
      reported = true;
    }
    guard.held(subject, end, lease.requestedAt());
  }

  /** Releases it because the guard is closed; for its holder that is a loss. */
  final void takeBack() {
    if (tellOfLoss() >= 0) {
      closeAsync(ReleaseErrorHandler.Source.CLOSE);
    }
  }

  /** Returns false if it was released before. */
  private boolean letGo() {
    synchronized (this) {
      releasesBegun++;
      if (leaveHeldFor(State.LETTING_GO)) {
        toTellOfLoss.clear();
      }
    }
    stopWatching();
    return state != State.RELEASED;
  }

  /** Blocks while the store releases it. */
  public final R release() {
    return letGo() ? releaseNow() : releasedBefore();
  }

  /** Reports the release, which the store is not asked for, and returns its answer. */
  private R releasedBefore() {
    refuseRelease();
    return nothingToRelease();
  }

  /** Reports a release that the store is not asked for. */
  protected abstract void refuseRelease();

  private R releaseNow() {
    try {
      return released(releases.now(reference, life()));
    } finally {
      reportEnd(lost ? HoldEvent.End.LOST : HoldEvent.End.IN_DOUBT);
      holding.leave();
    }
  }

  /** Has the store release it; returns at once. */
  public final CompletionStage<R> releaseAsync() {
    return guard
        .continuations()
        .handOut(
            () -> letGo() ? releasingNow() : CompletableFuture.completedFuture(releasedBefore()));
  }

  /** As {@link #releaseAsync}, with a stage that no user must see. */
  private CompletionStage<R> releasing() {
    return letGo() ? releasingNow() : CompletableFuture.completedFuture(nothingToRelease());
  }

  private CompletionStage<R> releasingNow() {
    return releases
        .async(reference, life())
        .thenApply(this::released)
        .whenComplete(
            (result, failure) -> {
              reportEnd(lost ? HoldEvent.End.LOST : HoldEvent.End.IN_DOUBT);
              holding.leave();
            });
  }

  /** A store that has nothing to release shows a loss, unless an earlier release may have won. */
  private R released(R answer) {
    synchronized (this) {
      state = State.RELEASED;
      lost |= !isReleased(answer) && releasesBegun == 1;
    }
    reportEnd(lost ? HoldEvent.End.LOST : HoldEvent.End.RELEASED);
    return told(answer);
  }

  /** Blocks while it is released, once; never throws. */
  public final void close() {
    close(ReleaseErrorHandler.Source.CLOSE);
  }

  private void close(ReleaseErrorHandler.Source source) {
    if (!closeOnce() || !letGo()) {
      return;
    }
    try {
      releaseNow();
    } catch (RuntimeException e) {
      reportFailedRelease(e, source);
    }
  }

  private synchronized boolean closeOnce() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /**
   * Closes after a task, as {@link #close()} does; returns whether it was held until then, or until
   * the task itself released it.
   */
  public final boolean closeAfterTask() {
    close(ReleaseErrorHandler.Source.HELPER);
    return !lost;
  }

  /** As {@link #closeAfterTask}; returns at once. */
  public final CompletionStage<Boolean> closeAfterTaskAsync() {
    return closeAsync(ReleaseErrorHandler.Source.HELPER);
  }

  private CompletionStage<Boolean> closeAsync(ReleaseErrorHandler.Source source) {
    if (!closeOnce()) {
      return CompletableFuture.completedFuture(!lost);
    }
    return releasing()
        .handle(
            (result, failure) -> {
              if (failure != null) {
                guard.continuations().execute(() -> reportFailedRelease(failure, source));
              }
              return !lost;
            });
  }

  private void reportFailedRelease(@Nullable Throwable failure, ReleaseErrorHandler.Source source) {
    try {
      onReleaseError.onReleaseError(
          Failures.asSyncGuardException(
              failure == null ? new IllegalStateException("no failure") : failure, subject),
          new ReleaseErrorHandler.Failure(subject, source));
    } catch (RuntimeException e) {
      log.warn("The handler for release errors failed", e);
    }
  }
}
