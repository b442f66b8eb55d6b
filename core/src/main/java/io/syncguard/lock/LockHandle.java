package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Callbacks;
import io.syncguard.internal.Failures;
import io.syncguard.internal.Holdings;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.telemetry.LockEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock in hand. Ownership is the {@link #lockId}, never a thread: a handle may be passed on and
 * used by any thread, virtual ones included. Thread-safe.
 *
 * <p>A handle is stricter than the store: it regards the lock as lost when its lifetime, counted on
 * this machine's monotonic clock from before the request was sent, is over.
 */
public final class LockHandle implements AcquireResult {

  private enum State {
    HELD,
    LETTING_GO,
    RELEASED,
    LOST
  }

  private final LockEngine engine;
  private final ResourceKey key;
  private final LockReference reference;
  private final Fence fence;
  private final Lease lease;
  private final ReleaseErrorHandler onReleaseError;
  private final Holdings<LockHandle>.Holding holding;
  private volatile Instant expiresAt;
  private volatile State state = State.HELD;
  private volatile boolean lost;
  private @Nullable LeaseKeeper keeper;
  private int releasesBegun;
  private boolean closed;

  LockHandle(
      LockEngine engine,
      ResourceKey key,
      LockId lockId,
      Fence fence,
      Instant expiresAt,
      Duration ttl,
      long requestedAt,
      ReleaseErrorHandler onReleaseError) {
    this.engine = engine;
    this.key = key;
    this.reference = new LockReference(lockId, key);
    this.fence = fence;
    this.expiresAt = expiresAt;
    this.lease = new Lease(engine.time(), requestedAt, ttl);
    this.onReleaseError = onReleaseError;
    this.holding = engine.holdings().of(this);
  }

  /** Returns the user's key, raw, after NFC. */
  public String key() {
    return key.value();
  }

  /** Returns the proof of ownership, by which another process can extend or release the lock. */
  public LockId lockId() {
    return reference.lockId();
  }

  /** Returns the fencing token; pass it to the resource, which should refuse a smaller one. */
  public Fence fence() {
    return fence;
  }

  /** Returns when the lock expires, by the store's clock. */
  public Instant expiresAt() {
    return expiresAt;
  }

  /** Returns at once whether this process may still believe that it holds the lock. */
  public boolean isHeld() {
    return state == State.HELD && lease.remainingNanos() > 0;
  }

  /**
   * Registers a listener and returns at once. It runs once, in a thread of its own, when the store
   * says that the lock is gone, or shortly before the lifetime ends with nobody having extended it
   * (a tenth of the ttl, at most 500 ms). From then on the lock counts as lost, for good. It does
   * not run after a release.
   */
  public LockHandle onLost(Runnable listener) {
    Objects.requireNonNull(listener, "The listener must not be null");
    onLostHere(() -> Callbacks.run(listener));
    return this;
  }

  /** Has this run by who finds out that the lock is lost, such as a timer: it must not block. */
  void onLostHere(Runnable tell) {
    synchronized (this) {
      if (state == State.HELD) {
        keeper().onLost(tell);
        return;
      }
    }
    if (state == State.LOST) {
      tell.run();
    }
  }

  /**
   * Has the lock extended in the background from now on, each time by the ttl it has, and returns
   * at once. It is not held beyond the given time since it was acquired; after that it is lost. A
   * later call sets another limit, longer or shorter.
   */
  public LockHandle autoExtend(Duration maxHold) {
    Duration checked = Ttl.check(maxHold);
    synchronized (this) {
      if (state == State.HELD) {
        keeper().autoExtend(checked);
      }
    }
    return this;
  }

  /** Most handles need none. */
  private LeaseKeeper keeper() {
    LeaseKeeper present = keeper;
    if (present == null) {
      present = new LeaseKeeper(this, lease, engine.time());
      keeper = present;
    }
    return present;
  }

  /** Blocks while the store sets the lock's expiry to now plus the ttl. */
  public ExtendResult extend(Duration ttl) {
    return extend(ttl, CancelSignal.never());
  }

  /** Blocks while the store sets the lock's expiry to now plus the ttl, unless cancelled. */
  public ExtendResult extend(Duration ttl, CancelSignal signal) {
    Duration checked = checkedForExtension(ttl);
    NotExtended refusal = refusalToExtend();
    if (refusal != null) {
      return refusal;
    }
    pass(LockEvent.Type.EXTEND, () -> engine.throwIfAborted(signal));
    Lease.Extension extension = sent(lease.extending(checked));
    ExtendResult result;
    try {
      result = engine.backend().extend(reference, checked, signal);
    } catch (RuntimeException | Error e) {
      failed(extension);
      throw e;
    }
    return settle(extension, result);
  }

  private void pass(LockEvent.Type type, Runnable gate) {
    engine.checks().pass(type, key, lockId(), gate);
  }

  private Duration checkedForExtension(Duration ttl) {
    return engine.checks().ttl(LockEvent.Type.EXTEND, key, lockId(), ttl);
  }

  /**
   * Sets the lock's expiry to now plus the ttl; returns at once. What the caller does to the stage,
   * such as cancelling it, changes nothing about the extension.
   */
  public CompletionStage<ExtendResult> extendAsync(Duration ttl) {
    return extendAsync(ttl, CancelSignal.never());
  }

  /**
   * Sets the lock's expiry to now plus the ttl, unless cancelled by the signal; returns at once.
   * The stage then fails with ABORTED.
   */
  public CompletionStage<ExtendResult> extendAsync(Duration ttl, CancelSignal signal) {
    return engine
        .continuations()
        .handOut(
            () -> {
              Duration checked = checkedForExtension(ttl);
              return extendAsync(
                  () -> {
                    pass(LockEvent.Type.EXTEND, () -> engine.throwIfCancelled(signal));
                    return lease.extending(checked);
                  },
                  signal);
            });
  }

  /** Extends as {@link LeaseKeeper} does; returns at once. The stage is not for users. */
  CompletionStage<ExtendResult> renew() {
    return extendAsync(lease::renewing, CancelSignal.never());
  }

  private CompletionStage<ExtendResult> extendAsync(
      Supplier<Lease.Extension> next, CancelSignal signal) {
    NotExtended refusal = refusalToExtend();
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    Lease.Extension extension = sent(next.get());
    CompletionStage<ExtendResult> asked;
    try {
      asked = engine.backend().async().extend(reference, extension.by(), signal);
    } catch (RuntimeException e) {
      asked = CompletableFuture.failedFuture(e);
    }
    return asked.handle(
        (result, failure) -> {
          if (failure != null) {
            failed(extension);
            throw failure instanceof CompletionException e ? e : new CompletionException(failure);
          }
          return settle(extension, result);
        });
  }

  private @Nullable NotExtended refusalToExtend() {
    NotExtended refusal = refusalByState();
    if (refusal != null) {
      engine.checks().notExtended(key, reference, refusal);
    }
    return refusal;
  }

  private @Nullable NotExtended refusalByState() {
    return switch (state) {
      case LETTING_GO, RELEASED -> NotExtended.NOT_FOUND;
      case LOST -> NotExtended.EXPIRED;
      case HELD -> {
        if (lease.remainingNanos() > 0) {
          yield null;
        }
        lose();
        yield NotExtended.EXPIRED;
      }
    };
  }

  private Lease.Extension sent(Lease.Extension extension) {
    tellKeeper(LeaseKeeper::extensionSent);
    return extension;
  }

  private void failed(Lease.Extension extension) {
    extension.failed();
    tellKeeper(LeaseKeeper::extensionSettled);
  }

  private ExtendResult settle(Lease.Extension extension, ExtendResult result) {
    if (!(result instanceof Extended extended)) {
      extension.failed();
      lose();
      return result;
    }
    extension.succeeded();
    expiresAt = extended.expiresAt();
    tellKeeper(LeaseKeeper::extensionSettled);
    return state == State.LOST ? NotExtended.EXPIRED : extended;
  }

  private void tellKeeper(Consumer<LeaseKeeper> event) {
    LeaseKeeper present;
    synchronized (this) {
      present = keeper;
    }
    if (present != null) {
      event.accept(present);
    }
  }

  void lose() {
    tellOfLoss();
    holding.leave();
  }

  private void tellOfLoss() {
    LeaseKeeper toTell = leaveHeldFor(State.LOST);
    if (toTell != null) {
      toTell.lose();
    }
  }

  /** Returns the guard's note of this handle. */
  Holdings<LockHandle>.Holding holding() {
    return holding;
  }

  /** Returns whether somebody may rely on the lock, or is letting go of it. */
  boolean isInUse() {
    return isHeld() || state == State.LETTING_GO;
  }

  /** Releases the lock because the guard is closed; for its holder that is a loss. */
  void takeBack() {
    if (state == State.HELD) {
      tellOfLoss();
      closeAsync(ReleaseErrorHandler.Source.CLOSE);
    }
  }

  /** Returns the keeper that has to know, if there is one and the lock was held until now. */
  private synchronized @Nullable LeaseKeeper leaveHeldFor(State next) {
    if (state != State.HELD) {
      return null;
    }
    state = next;
    lost = next == State.LOST || lease.remainingNanos() <= 0;
    return keeper;
  }

  /**
   * Blocks while the store releases the lock, trying again while the outcome is unknown, up to the
   * guard's dispose timeout. Neither an interrupt nor a cancellation stops it.
   *
   * @throws SyncGuardException if the store could not be asked; the lock then lives until it
   *     expires, unless a further attempt in the background succeeds
   */
  public ReleaseResult release() {
    if (!letGo()) {
      return releasedBefore();
    }
    return releaseNow();
  }

  private ReleaseResult releasedBefore() {
    engine.checks().notReleased(key, reference);
    return ReleaseResult.NOT_FOUND;
  }

  private ReleaseResult releaseNow() {
    try {
      pass(LockEvent.Type.RELEASE, engine::throwIfClosed);
      return released(engine.releases().now(reference, lease.ttl()));
    } finally {
      holding.leave();
    }
  }

  /** Releases the lock as {@link #release} does; returns at once. */
  public CompletionStage<ReleaseResult> releaseAsync() {
    return engine
        .continuations()
        .handOut(
            () -> {
              if (!letGo()) {
                return CompletableFuture.completedFuture(releasedBefore());
              }
              pass(LockEvent.Type.RELEASE, engine::throwIfClosed);
              return releasingNow();
            });
  }

  /** As {@link #releaseAsync}, with a stage that no user must see. */
  CompletionStage<ReleaseResult> releasing() {
    return letGo() ? releasingNow() : CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND);
  }

  private CompletionStage<ReleaseResult> releasingNow() {
    return engine
        .releases()
        .async(reference, lease.ttl())
        .thenApply(this::released)
        .whenComplete((result, failure) -> holding.leave());
  }

  /** A store that has nothing to release shows a loss, unless an earlier release may have won. */
  private synchronized ReleaseResult released(ReleaseResult result) {
    state = State.RELEASED;
    lost |= !result.isReleased() && releasesBegun == 1;
    return result;
  }

  /** Returns false if the lock was released before. */
  private boolean letGo() {
    synchronized (this) {
      releasesBegun++;
    }
    LeaseKeeper toStop = leaveHeldFor(State.LETTING_GO);
    if (toStop != null) {
      toStop.stop();
    }
    return state != State.RELEASED;
  }

  /**
   * Blocks while the lock is released, as {@link #release} does. Never throws: a failure goes to
   * the {@link ReleaseErrorHandler} of the {@link LockOptions} that it was acquired with, or else
   * to the guard's. Later calls do nothing.
   */
  @Override
  public void close() {
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

  /**
   * Closes after a task, as {@link #close} does; returns whether the lock was held until then, or
   * until the task itself released it.
   */
  boolean closeAfterTask() {
    close(ReleaseErrorHandler.Source.HELPER);
    return !lost;
  }

  private synchronized boolean closeOnce() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** As {@link #closeAfterTask}; returns at once. */
  CompletionStage<Boolean> closeAfterTaskAsync() {
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
                engine.continuations().execute(() -> reportFailedRelease(failure, source));
              }
              return !lost;
            });
  }

  private void reportFailedRelease(Throwable failure, ReleaseErrorHandler.Source source) {
    try {
      onReleaseError.onReleaseError(
          Failures.asSyncGuardException(failure, reference.context()),
          new ReleaseErrorHandler.Failure(key.value(), lockId(), source));
    } catch (RuntimeException e) {
      engine.log().warn("The handler for release errors failed", e);
    }
  }

  @Override
  public String toString() {
    return "LockHandle[key="
        + key.label()
        + ", lockId="
        + lockId().hash()
        + ", fence="
        + fence
        + "]";
  }
}
