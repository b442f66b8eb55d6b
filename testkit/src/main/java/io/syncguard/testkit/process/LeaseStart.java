package io.syncguard.testkit.process;

import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.testkit.fault.Interception;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Notes when the attempt that took the lock began: its lease counts from then at the earliest. */
final class LeaseStart implements UnaryOperator<OperationExecutor> {
  private volatile long nanos;
  private volatile boolean inDoubt;

  @Override
  public OperationExecutor apply(OperationExecutor next) {
    return Interception.on(LockOperation.Acquire.class, this::acquire).apply(next);
  }

  /** An attempt whose outcome is unknown may turn out to be the one that took the lock. */
  private CompletionStage<AcquireAttempt> acquire(
      LockOperation.Acquire acquire, Call call, OperationExecutor next) {
    if (!inDoubt) {
      nanos = System.nanoTime();
    }
    inDoubt = true;
    return next.execute(acquire, call)
        .thenApply(
            attempt -> {
              inDoubt = false;
              return attempt;
            });
  }

  long nanos() {
    return nanos;
  }
}
