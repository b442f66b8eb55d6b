package io.syncguard.testkit.fault;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import io.syncguard.spi.AcquireRequest;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.LockReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A backend that can be told to refuse operations, or to carry them out and lose the reply. */
public final class FaultyLockBackend extends DelegatingLockBackend {

  private final AtomicInteger repliesToLose = new AtomicInteger();
  private final AtomicInteger operationsToRefuse = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();

  /** Fails on behalf of the given backend. */
  public FaultyLockBackend(LockBackend backend) {
    super(backend);
  }

  /** Has the next operations carried out and then fail with NETWORK_TIMEOUT. */
  public void loseReplies(int count) {
    repliesToLose.set(count);
  }

  /** Has the next operations fail with SERVICE_UNAVAILABLE and change nothing. */
  public void refuse(int count) {
    operationsToRefuse.set(count);
  }

  /** Returns how many acquires, releases and extensions were asked for, refused ones included. */
  public int changesAskedFor() {
    return changes.get();
  }

  @Override
  public AcquireAttempt acquire(AcquireRequest request, CancelSignal signal) {
    return faulty(() -> super.acquire(request, signal));
  }

  @Override
  public ReleaseResult release(LockReference lock, Duration timeout) {
    return faulty(() -> super.release(lock, timeout));
  }

  @Override
  public ExtendResult extend(LockReference lock, Duration ttl, CancelSignal signal) {
    return faulty(() -> super.extend(lock, ttl, signal));
  }

  private <T> T faulty(Supplier<T> operation) {
    changes.incrementAndGet();
    if (takeOne(operationsToRefuse)) {
      throw new SyncGuardException(Code.SERVICE_UNAVAILABLE, "Refused by the test");
    }
    T result = operation.get();
    if (takeOne(repliesToLose)) {
      throw SyncGuardException.withUnknownOutcome(
          Code.NETWORK_TIMEOUT, "Reply lost by the test", SyncGuardException.Context.NONE, null);
    }
    return result;
  }

  private static boolean takeOne(AtomicInteger remaining) {
    return remaining.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }
}
