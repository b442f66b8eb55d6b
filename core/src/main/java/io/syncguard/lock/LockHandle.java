package io.syncguard.lock;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Callbacks;
import io.syncguard.internal.Failures;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.spi.LockReference;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
  private final long requestedAt;
  private volatile Instant expiresAt;
  private volatile State state = State.HELD;
  private @Nullable LeaseKeeper keeper;
  private boolean closed;

  LockHandle(
      LockEngine engine,
      ResourceKey key,
      LockId lockId,
      Fence fence,
      Instant expiresAt,
      Duration ttl,
      long requestedAt) {
    this.engine = engine;
    this.key = key;
    this.reference = new LockReference(lockId, key);
    this.fence = fence;
    this.expiresAt = expiresAt;
    this.requestedAt = requestedAt;
    this.lease = new Lease(engine.time(), requestedAt, ttl);
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
    synchronized (this) {
      if (state == State.HELD) {
        keeper().onLost(listener);
        return this;
      }
    }
    if (state == State.LOST) {
      Callbacks.run(listener);
    }
    return this;
  }

  /**
   * Has the lock extended in the background from now on, each time by the ttl it has, and returns
   * at once. It is not held beyond the given time since it was acquired; after that it is lost.
   */
  public LockHandle autoExtend(Duration maxHold) {
    long holdEnd = requestedAt + TimeSource.saturatedNanos(Ttl.check(maxHold));
    synchronized (this) {
      if (state == State.HELD) {
        keeper().autoExtend(holdEnd);
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
    Duration checked = Ttl.check(ttl);
    NotExtended refusal = refusalToExtend();
    if (refusal != null) {
      return refusal;
    }
    engine.throwIfAborted(signal);
    Lease.Extension extension = lease.extending(checked);
    ExtendResult result;
    try {
      result = engine.backend().extend(reference, checked, signal);
    } catch (RuntimeException e) {
      extension.failed();
      throw e;
    }
    return settle(extension, result);
  }

  /** Sets the lock's expiry to now plus the ttl; returns at once. */
  public CompletionStage<ExtendResult> extendAsync(Duration ttl) {
    Duration checked;
    try {
      checked = Ttl.check(ttl);
    } catch (SyncGuardException e) {
      return CompletableFuture.failedFuture(e);
    }
    NotExtended refusal = refusalToExtend();
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    Lease.Extension extension = lease.extending(checked);
    return engine
        .backend()
        .async()
        .extend(reference, checked, CancelSignal.never())
        .whenComplete(
            (result, failure) -> {
              if (failure != null) {
                extension.failed();
              }
            })
        .thenApply(result -> settle(extension, result));
  }

  private @Nullable NotExtended refusalToExtend() {
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

  private ExtendResult settle(Lease.Extension extension, ExtendResult result) {
    if (!(result instanceof Extended extended)) {
      extension.failed();
      lose();
      return result;
    }
    extension.succeeded();
    expiresAt = extended.expiresAt();
    return state == State.LOST ? NotExtended.EXPIRED : extended;
  }

  void lose() {
    LeaseKeeper toTell = leaveHeldFor(State.LOST);
    if (toTell != null) {
      toTell.lose();
    }
  }

  /** Returns the keeper that has to know, if there is one and the lock was held until now. */
  private synchronized @Nullable LeaseKeeper leaveHeldFor(State next) {
    if (state != State.HELD) {
      return null;
    }
    state = next;
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
      return ReleaseResult.NOT_FOUND;
    }
    ReleaseResult result = engine.releases().now(reference, lease.ttl());
    state = State.RELEASED;
    return result;
  }

  /** Releases the lock as {@link #release} does; returns at once. */
  public CompletionStage<ReleaseResult> releaseAsync() {
    if (!letGo()) {
      return CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND);
    }
    return engine
        .releases()
        .async(reference, lease.ttl())
        .thenApply(
            result -> {
              state = State.RELEASED;
              return result;
            });
  }

  /** Returns false if the lock was released before. */
  private boolean letGo() {
    LeaseKeeper toStop = leaveHeldFor(State.LETTING_GO);
    if (toStop != null) {
      toStop.stop();
    }
    return state != State.RELEASED;
  }

  /**
   * Blocks while the lock is released, as {@link #release} does. Never throws: a failure goes to
   * the guard's {@link ReleaseErrorHandler}. Later calls do nothing.
   */
  @Override
  public void close() {
    close(ReleaseErrorHandler.Source.CLOSE, engine.onReleaseError());
  }

  void close(ReleaseErrorHandler.Source source, ReleaseErrorHandler handler) {
    if (!closeOnce()) {
      return;
    }
    try {
      release();
    } catch (RuntimeException e) {
      reportFailedRelease(e, source, handler);
    }
  }

  private synchronized boolean closeOnce() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  CompletionStage<Void> closeAsync(ReleaseErrorHandler.Source source, ReleaseErrorHandler handler) {
    if (!closeOnce()) {
      return CompletableFuture.completedFuture(null);
    }
    return releaseAsync()
        .handle(
            (result, failure) -> {
              if (failure != null) {
                reportFailedRelease(failure, source, handler);
              }
              return null;
            });
  }

  private void reportFailedRelease(
      Throwable failure, ReleaseErrorHandler.Source source, ReleaseErrorHandler handler) {
    try {
      handler.onReleaseError(
          Failures.asSyncGuardException(failure, reference.context()),
          new ReleaseErrorHandler.Failure(key.value(), lockId(), source));
    } catch (RuntimeException e) {
      engine.log().warn("The handler for release errors failed", e);
    }
  }

  @Override
  public String toString() {
    return "LockHandle[key="
        + key.hash()
        + ", lockId="
        + lockId().hash()
        + ", fence="
        + fence
        + "]";
  }
}
