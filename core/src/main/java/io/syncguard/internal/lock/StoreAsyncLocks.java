package io.syncguard.internal.lock;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.internal.waiting.AsyncWait;
import io.syncguard.lock.AcquireResult;
import io.syncguard.lock.AsyncLocks;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockHandle;
import io.syncguard.lock.LockId;
import io.syncguard.lock.LockInfo;
import io.syncguard.lock.LockOptions;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.lock.LockOperation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The locks of a guard, for callers that must not block. */
final class StoreAsyncLocks implements AsyncLocks {

  private final LockEngine engine;
  private final CancelSignal signal;
  private final Call call;

  StoreAsyncLocks(LockEngine engine, CancelSignal signal) {
    this.engine = engine;
    this.signal = signal;
    this.call = Call.of(signal);
  }

  @Override
  public CompletionStage<AcquireResult> tryLock(String key, Duration ttl) {
    return beginAcquiring(
        () -> engine.holdings().during(() -> attempting(key, ttl)), StoreAsyncLocks::giveBack);
  }

  private CompletableFuture<AcquireResult> attempting(String key, Duration ttl) {
    ResourceKey resource = engine.key(LockOperation.ACQUIRE, key);
    Duration lifetime = engine.ttl(LockOperation.ACQUIRE, Subject.ofLock(key, null), ttl);
    LockOperation.Acquire acquire = engine.newAttempt(resource, lifetime);
    engine.enter(acquire, () -> engine.guard().entrance().throwIfCancelled(signal));
    long requestedAt = engine.time().nanoTime();
    CompletableFuture<AcquireResult> result = new CompletableFuture<>();
    engine
        .operations()
        .begin(acquire, call)
        .whenComplete(
            (attempt, failure) -> {
              if (failure != null) {
                result.completeExceptionally(engine.abandon(failure, acquire));
                return;
              }
              try {
                AcquireResult acquired = engine.result(attempt, acquire, requestedAt);
                if (!result.complete(acquired)) {
                  giveBack(acquired);
                }
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  @Override
  public CompletionStage<LockHandle> lock(String key, LockOptions options) {
    return beginAcquiring(() -> acquiring(key, options), StoreAsyncLocks::giveBack);
  }

  private CompletableFuture<LockHandle> acquiring(String key, LockOptions options) {
    return AsyncWait.start(
        LockWait.of(engine, engine.key(LockOperation.ACQUIRE, key), options, signal));
  }

  @Override
  public <T> CompletionStage<T> call(
      String key, LockOptions options, Function<LockHandle, CompletionStage<T>> task) {
    return beginAcquiring(
        () -> new AsyncCall<>(engine, task).start(acquiring(key, LockEngine.forTask(options))),
        value -> {});
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockId lockId) {
    return handOut(
        () ->
            engine
                .releases()
                .async(engine.id(LockOperation.RELEASE, lockId), LockOptions.DEFAULT_TTL));
  }

  @Override
  public CompletionStage<ExtendResult> extend(LockId lockId, Duration ttl) {
    return ask(() -> engine.extension(lockId, ttl));
  }

  @Override
  public CompletionStage<Boolean> isLocked(String key) {
    return ask(() -> new LockOperation.IsLocked(engine.key(LockOperation.IS_LOCKED, key)));
  }

  @Override
  public CompletionStage<Optional<LockInfo>> getByKey(String key) {
    return handOut(() -> finding(key).thenApply(raw -> raw.map(RawLockInfo::sanitized)));
  }

  @Override
  public CompletionStage<Optional<LockInfo>> getById(LockId lockId) {
    return handOut(() -> finding(lockId).thenApply(raw -> raw.map(RawLockInfo::sanitized)));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> getByKeyRaw(String key) {
    return handOut(() -> finding(key));
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> getByIdRaw(LockId lockId) {
    return handOut(() -> finding(lockId));
  }

  @Override
  public CompletionStage<Boolean> owns(LockId lockId) {
    return handOut(() -> finding(lockId).thenApply(Optional::isPresent));
  }

  private CompletionStage<Optional<RawLockInfo>> finding(String key) {
    ResourceKey resource = engine.key(LockOperation.LOOKUP, key);
    return engine.operations().begin(new LockOperation.FindByKey(resource), call);
  }

  private CompletionStage<Optional<RawLockInfo>> finding(LockId lockId) {
    LockId checked = engine.id(LockOperation.LOOKUP, lockId).lockId();
    return engine.operations().begin(new LockOperation.FindById(checked), call);
  }

  private <A> CompletionStage<A> ask(Supplier<? extends Operation<A>> operation) {
    return handOut(() -> engine.operations().begin(operation.get(), call));
  }

  private <T> CompletionStage<T> handOut(Supplier<CompletionStage<T>> stage) {
    return engine.guard().continuations().handOut(stage);
  }

  private <T> CompletionStage<T> beginAcquiring(
      Supplier<CompletableFuture<T>> acquisition, Consumer<T> giveBack) {
    return engine.guard().continuations().handOutAcquired(acquisition, giveBack);
  }

  private static void giveBack(AcquireResult unwanted) {
    if (unwanted instanceof HeldLock lock) {
      lock.giveBack();
    }
  }
}
