package io.syncguard.semaphore;

import io.syncguard.SyncGuardException;
import io.syncguard.internal.Callbacks;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Holdings;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseErrorHandler;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A slot of a semaphore in hand. Ownership is in this object, never in a thread: a permit may be
 * passed on and released by any thread, virtual ones included. Thread-safe.
 *
 * <p>A permit is stricter than the store: it regards itself as lost when its ttl is over, or when
 * no heartbeat was answered for as long as the store waits for one, on this machine's monotonic
 * clock.
 */
public final class Permit implements AutoCloseable {

  private enum State {
    HELD,
    LETTING_GO,
    RELEASED,
    LOST
  }

  private final SemaphoreEngine engine;
  private final PermitReference reference;
  private final SemaphoreOptions options;
  private final PermitAttempt.Held held;
  private final long requestedAt;
  private final PermitLease lease;
  private final Holder holder;
  private final Holdings<Permit>.Holding holding;
  private final List<Runnable> lossListeners = new ArrayList<>();
  private volatile State state = State.HELD;
  private boolean closed;

  Permit(
      SemaphoreEngine engine,
      PermitReference reference,
      SemaphoreOptions options,
      PermitAttempt.Held held,
      long requestedAt) {
    this.engine = engine;
    this.reference = reference;
    this.options = options;
    this.held = held;
    this.lease =
        new PermitLease(
            engine.time(),
            options,
            requestedAt,
            held.grant().map(PermitAttempt.Grant::keptFor).orElse(options.heartbeatTimeout()));
    this.requestedAt = requestedAt;
    this.holder = new Holder();
    this.holding = engine.holdings().of(this);
    held.grant().ifPresent(grant -> holder.beatsFirstAfter(grant.keptFor().dividedBy(3)));
  }

  void startBeating() {
    engine.heartbeats().add(holder);
    held.grant().ifPresent(this::awaitConfirmation);
  }

  /** Should nobody tell, the first heartbeat does, which then comes soon. */
  private void awaitConfirmation(PermitAttempt.Grant grant) {
    grant
        .confirmed()
        .whenComplete(
            (confirmed, failure) -> {
              if (failure == null) {
                holder.answered(confirmed ? PermitState.HOLDING : PermitState.GONE, requestedAt);
              } else {
                engine.heartbeats().beatNow(holder);
              }
            });
  }

  /** Returns the semaphore's name, raw, after NFC. */
  public String name() {
    return reference.name().value();
  }

  /**
   * Returns how many slots were taken when this permit got its own, that one included: from 1 to
   * the limit. Two permits that are held at the same time may have the same number.
   */
  public int slot() {
    return held.slot();
  }

  /** Returns when the time to hold this permit is over, by the store's clock. */
  public Instant expiresAt() {
    return held.expiresAt();
  }

  /** Returns at once whether this process may still believe that it holds the permit. */
  public boolean isHeld() {
    return state == State.HELD && lease.remainingNanos() > 0;
  }

  /**
   * Registers a listener and returns at once. It runs once, in a thread of its own, when the store
   * says that the permit is gone, or shortly before its time is over or its last answered heartbeat
   * is too long ago (a tenth of that time, at most 500 ms). From then on the permit is lost, for
   * good. It does not run after a release.
   */
  public Permit onLost(Runnable listener) {
    synchronized (this) {
      if (state == State.HELD) {
        lossListeners.add(listener);
        return this;
      }
    }
    if (state == State.LOST) {
      Callbacks.run(listener);
    }
    return this;
  }

  /**
   * Blocks while the store frees the slot, or hands it to the next in the queue, trying again while
   * the outcome is unknown, up to the guard's dispose timeout. Neither an interrupt nor a
   * cancellation stops it.
   *
   * @throws SyncGuardException if the store could not be asked; the slot is then free when the
   *     heartbeats have been missing for long enough, unless a further attempt in the background
   *     succeeds before
   */
  public PermitReleaseResult release() {
    if (!letGo()) {
      return PermitReleaseResult.NOT_FOUND;
    }
    try {
      return released(engine.releases().now(reference, options.heartbeatTimeout()));
    } finally {
      holding.leave();
    }
  }

  /** Frees the slot as {@link #release} does; returns at once. */
  public CompletionStage<PermitReleaseResult> releaseAsync() {
    return engine.continuations().handOut(this::releasing);
  }

  /** As {@link #releaseAsync}, with a stage that no user must see. */
  CompletionStage<PermitReleaseResult> releasing() {
    if (!letGo()) {
      return CompletableFuture.completedFuture(PermitReleaseResult.NOT_FOUND);
    }
    return engine
        .releases()
        .async(reference, options.heartbeatTimeout())
        .thenApply(this::released)
        .whenComplete((result, failure) -> holding.leave());
  }

  /** A store may still have it in the queue, which has not heard that it was handed a slot. */
  private PermitReleaseResult released(PermitReleaseResult result) {
    state = State.RELEASED;
    return result == PermitReleaseResult.LEFT_QUEUE ? PermitReleaseResult.RELEASED : result;
  }

  /** Returns false if the permit was released before. */
  private boolean letGo() {
    synchronized (this) {
      if (state == State.HELD) {
        state = State.LETTING_GO;
        lossListeners.clear();
      }
    }
    engine.heartbeats().remove(holder);
    return state != State.RELEASED;
  }

  /**
   * Blocks while the slot is freed, as {@link #release} does. Never throws: a failure goes to the
   * guard's {@link ReleaseErrorHandler}. Later calls do nothing.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      release();
    } catch (RuntimeException e) {
      reportFailedRelease(e);
    }
  }

  private void reportFailedRelease(Throwable failure) {
    try {
      engine
          .onReleaseError()
          .onReleaseError(
              Failures.asSyncGuardException(failure, reference.context()),
              new ReleaseErrorHandler.Failure(
                  name(), LockId.of(reference.id().value()), ReleaseErrorHandler.Source.PERMIT));
    } catch (RuntimeException e) {
      SemaphoreEngine.LOG.warn("The handler for release errors failed", e);
    }
  }

  private void lose() {
    if (!tellOfLoss()) {
      SemaphoreEngine.LOG.warn(
          "A permit was lost, and no listener of onLost is there to be told: {}. Stop what relies on"
              + " it: its slot goes to the next",
          this);
    }
    holding.leave();
  }

  /** Returns the guard's note of this permit. */
  Holdings<Permit>.Holding holding() {
    return holding;
  }

  /** Returns whether somebody may rely on the permit, or is letting go of it. */
  boolean isInUse() {
    return isHeld() || state == State.LETTING_GO;
  }

  /** Frees the slot because the guard is closed; for its holder that is a loss. */
  void takeBack() {
    if (state != State.HELD) {
      return;
    }
    tellOfLoss();
    releasing()
        .whenComplete(
            (result, failure) -> {
              if (failure != null) {
                engine.continuations().execute(() -> reportFailedRelease(failure));
              }
            });
  }

  /** Returns whether there is nobody left to tell: a listener was, or it was not held any more. */
  private boolean tellOfLoss() {
    List<Runnable> toTell;
    synchronized (this) {
      if (state != State.HELD) {
        return true;
      }
      state = State.LOST;
      toTell = List.copyOf(lossListeners);
      lossListeners.clear();
    }
    engine.heartbeats().remove(holder);
    toTell.forEach(Callbacks::run);
    return !toTell.isEmpty();
  }

  @Override
  public String toString() {
    return "Permit[name="
        + reference.name().label()
        + ", id="
        + reference.id().hash()
        + ", slot="
        + held.slot()
        + "]";
  }

  /** The permit's heart. */
  private final class Holder extends Beating {

    private Holder() {
      super(reference, options.heartbeat(), options.heartbeatTimeout(), requestedAt);
    }

    @Override
    void answered(PermitState known, long askedAt) {
      switch (known) {
        case HOLDING -> lease.confirmedAt(askedAt);
        case GONE -> lose();
        case WAITING -> {
          // The store has yet to hear that it was handed a slot.
        }
      }
    }

    @Override
    void orphaned() {
      // The lease ends by itself.
    }

    @Override
    long nanosToGiveUp() {
      return lease.nanosToLoss();
    }

    @Override
    void giveUp() {
      lose();
    }
  }
}
