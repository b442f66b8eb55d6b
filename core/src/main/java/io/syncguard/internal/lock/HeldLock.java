package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.ReleaseErrorHandler;
import io.syncguard.internal.Lifetime;
import io.syncguard.internal.hold.Hold;
import io.syncguard.internal.hold.Lease;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ExtendResult.Extended;
import io.syncguard.lock.ExtendResult.NotExtended;
import io.syncguard.lock.Fence;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.telemetry.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lock in hand. */
final class HeldLock extends Hold<LockReference, ReleaseResult> implements LockHandle {

  private final LockEngine engine;
  private final ResourceKey key;
  private final Fence fence;
  private volatile Instant expiresAt;
  private @Nullable LeaseKeeper keeper;

  HeldLock(
      LockEngine engine,
      ResourceKey key,
      LockReference reference,
      AcquireAttempt.Granted granted,
      Lease lease,
      ReleaseErrorHandler onReleaseError) {
    super(
        engine.guard(),
        engine.holdings(),
        engine.releases(),
        reference,
        reference.subject(),
        lease,
        onReleaseError);
    this.engine = engine;
    this.key = key;
    this.fence = granted.fence();
    this.expiresAt = granted.expiresAt();
  }

  @Override
  public String key() {
    return key.value();
  }

  @Override
  public LockId lockId() {
    return reference().lockId();
  }

  @Override
  public Fence fence() {
    return fence;
  }

  @Override
  public Instant expiresAt() {
    return expiresAt;
  }

  @Override
  public LockHandle onLost(Runnable listener) {
    tellUserOfLoss(listener);
    return this;
  }

  @Override
  public LockHandle autoExtend(Duration maxHold) {
    Duration checked = Lifetime.check("The time to hold a lock", maxHold);
    synchronized (this) {
      if (isUnlost()) {
        keeper().autoExtend(checked);
      }
    }
    return this;
  }

  /** Counts the lock as held until then at the latest, and has it confirmed meanwhile. */
  void confirmBefore(long keptUntil) {
    synchronized (this) {
      lease().endBy(keptUntil);
      if (isUnlost()) {
        keeper().confirm();
      }
    }
  }

  /** Most handles need none. */
  private LeaseKeeper keeper() {
    LeaseKeeper present = keeper;
    if (present == null) {
      present = new LeaseKeeper(this, lease(), engine.time());
      keeper = present;
    }
    return present;
  }

  @Override
  protected void watchOver() {
    keeper().watch();
  }

  @Override
  protected void stopWatching() {
    tellKeeper(LeaseKeeper::stop);
  }

  @Override
  protected Duration life() {
    return lease().ttl();
  }

  @Override
  protected ReleaseResult nothingToRelease() {
    return ReleaseResult.NOT_FOUND;
  }

  @Override
  protected boolean isReleased(ReleaseResult answer) {
    return answer.isReleased();
  }

  @Override
  protected void refuseRelease() {
    engine.operations().refused(subject(), LockOperation.RELEASE, Reason.NOT_FOUND);
  }

  @Override
  public ExtendResult extend(Duration ttl, CancelSignal signal) {
    Duration checked = checkedForExtension(ttl);
    NotExtended refusal = refusalToExtend();
    if (refusal != null) {
      return refusal;
    }
    Lease.Extension extension = sent(lease().extending(checked));
    ExtendResult result;
    try {
      result = engine.operations().await(extending(extension), Call.of(signal));
    } catch (RuntimeException | Error e) {
      failed(extension);
      throw e;
    }
    return settle(extension, result);
  }

  private LockOperation.Extend extending(Lease.Extension extension) {
    return new LockOperation.Extend(reference(), extension.by());
  }

  private Duration checkedForExtension(Duration ttl) {
    return engine
        .operations()
        .check(
            subject(), LockOperation.EXTEND, () -> Lifetime.check(LockEngine.WHOSE_LIFETIME, ttl));
  }

  @Override
  public CompletionStage<ExtendResult> extendAsync(Duration ttl, CancelSignal signal) {
    return engine
        .guard()
        .continuations()
        .handOut(
            () -> {
              Duration checked = checkedForExtension(ttl);
              return extendAsync(() -> lease().extending(checked), signal);
            });
  }

  /** Extends as {@link LeaseKeeper} does; returns at once. The stage is not for users. */
  CompletionStage<ExtendResult> renew() {
    return extendAsync(lease()::renewing, CancelSignal.never());
  }

  private CompletionStage<ExtendResult> extendAsync(
      Supplier<Lease.Extension> next, CancelSignal signal) {
    NotExtended refusal = refusalToExtend();
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    Lease.Extension extension = sent(next.get());
    return engine
        .operations()
        .begin(extending(extension), Call.of(signal))
        .handle(
            (result, failure) -> {
              if (failure != null) {
                failed(extension);
                throw failure instanceof CompletionException e
                    ? e
                    : new CompletionException(failure);
              }
              return settle(extension, result);
            });
  }

  private @Nullable NotExtended refusalToExtend() {
    NotExtended refusal = refusalByState();
    if (refusal != null) {
      Reason reason = refusal == NotExtended.EXPIRED ? Reason.EXPIRED : Reason.NOT_FOUND;
      engine.operations().refused(subject(), LockOperation.EXTEND, reason);
    }
    return refusal;
  }

  private @Nullable NotExtended refusalByState() {
    if (isLost()) {
      return NotExtended.EXPIRED;
    }
    if (!isUnlost()) {
      return NotExtended.NOT_FOUND;
    }
    if (lease().remainingNanos() > 0) {
      return null;
    }
    lose();
    return NotExtended.EXPIRED;
  }

  private Lease.Extension sent(Lease.Extension extension) {
    tellKeeper(LeaseKeeper::extensionSent);
    return extension;
  }

  private void failed(Lease.Extension extension) {
    extension.failed();
    tellKeeper(present -> present.extensionSettled(false));
  }

  private ExtendResult settle(Lease.Extension extension, ExtendResult result) {
    if (!(result instanceof Extended extended)) {
      extension.failed();
      lose();
      return result;
    }
    extension.succeeded();
    expiresAt = extended.expiresAt();
    tellKeeper(present -> present.extensionSettled(true));
    return isLost() ? NotExtended.EXPIRED : extended;
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
