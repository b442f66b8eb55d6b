package io.syncguard.testkit.lock;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.lock.LockId;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Interception;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * A decoration that knows which callers have joined a lock's queue and neither asked for a lock
 * that they got, nor left since. Thread-safe.
 */
public final class QueuedCallers implements UnaryOperator<OperationExecutor> {

  private final Set<LockId> callers = ConcurrentHashMap.newKeySet();

  /** None yet. */
  public QueuedCallers() {}

  /** Blocks until so many have joined, or so many are left. */
  public void await(int count) throws InterruptedException {
    eventually(() -> assertThat(callers).hasSize(count));
  }

  /** Returns the store with this between it and its user. */
  public Store over(Store store) {
    return new DecoratedStore(store, this);
  }

  @Override
  public OperationExecutor apply(OperationExecutor next) {
    return Interception.on(LockOperation.Acquire.class, this::acquire)
        .andOn(LockOperation.Release.class, this::release)
        .apply(next);
  }

  private CompletionStage<AcquireAttempt> acquire(
      LockOperation.Acquire acquire, Call call, OperationExecutor next) {
    return next.execute(acquire, call)
        .thenApply(
            answer -> {
              if (answer instanceof AcquireAttempt.Queued) {
                callers.add(acquire.lockId());
              } else {
                callers.remove(acquire.lockId());
              }
              return answer;
            });
  }

  private CompletionStage<ReleaseResult> release(
      LockOperation.Release release, Call call, OperationExecutor next) {
    return next.execute(release, call)
        .thenApply(
            answer -> {
              callers.remove(release.lock().lockId());
              return answer;
            });
  }
}
