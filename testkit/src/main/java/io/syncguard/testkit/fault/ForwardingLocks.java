package io.syncguard.testkit.fault;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.LockId;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Locks that forward everything to others, for tests that change what is no operation; see {@link
 * DecoratedStore#withLocks}. A change of an operation is an {@link Interception}.
 */
public class ForwardingLocks implements LockBackend {

  private final LockBackend locks;

  /** Forwards to these locks. */
  public ForwardingLocks(LockBackend locks) {
    this.locks = locks;
  }

  @Override
  public LockCapabilities capabilities() {
    return locks.capabilities();
  }

  @Override
  public LockId newLockId(ResourceKey key) {
    return locks.newLockId(key);
  }

  @Override
  public boolean hasQueue() {
    return locks.hasQueue();
  }

  @Override
  public CompletionStage<List<PlaceState>> keepWaiting(
      LockOperation.KeepWaiting signOfLife, Call call) {
    return locks.keepWaiting(signOfLife, call);
  }

  @Override
  public Optional<Watch> watch(LockReference waiter, WaiterHints<AcquireAttempt.Granted> hints) {
    return locks.watch(waiter, hints);
  }

  @Override
  public CompletionStage<AcquireAttempt> acquire(LockOperation.Acquire acquire, Call call) {
    return locks.acquire(acquire, call);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LockOperation.Release release, Call call) {
    return locks.release(release, call);
  }

  @Override
  public CompletionStage<ExtendResult> extend(LockOperation.Extend extend, Call call) {
    return locks.extend(extend, call);
  }

  @Override
  public CompletionStage<Boolean> isLocked(LockOperation.IsLocked question, Call call) {
    return locks.isLocked(question, call);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindByKey question, Call call) {
    return locks.find(question, call);
  }

  @Override
  public CompletionStage<Optional<RawLockInfo>> find(LockOperation.FindById question, Call call) {
    return locks.find(question, call);
  }
}
