package io.syncguard.testkit.process;

import io.syncguard.CancelSignal;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.testkit.fault.DelegatingLockBackend;

/** Notes when the attempt that took the lock began: its lease counts from then at the earliest. */
final class LeaseStart extends DelegatingLockBackend {
  private volatile long nanos;
  private volatile boolean inDoubt;

  LeaseStart(LockBackend backend) {
    super(backend);
  }

  /** An attempt whose outcome is unknown may turn out to be the one that took the lock. */
  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    if (!inDoubt) {
      nanos = System.nanoTime();
    }
    inDoubt = true;
    AcquireAttempt attempt = super.acquire(request, signal);
    inDoubt = false;
    return attempt;
  }

  long nanos() {
    return nanos;
  }
}
