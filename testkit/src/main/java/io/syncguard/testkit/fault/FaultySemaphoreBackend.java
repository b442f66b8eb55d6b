package io.syncguard.testkit.fault;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.SemaphoreBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A backend that can be told to refuse operations, to carry them out and lose the reply, to lose
 * hints, or to be cut off as if its process were paused or dead.
 */
public final class FaultySemaphoreBackend extends DelegatingSemaphoreBackend {

  private final AtomicInteger repliesToLose = new AtomicInteger();
  private final AtomicInteger operationsToRefuse = new AtomicInteger();
  private final AtomicInteger heartbeats = new AtomicInteger();
  private volatile boolean losesHints;
  private volatile boolean cutOff;

  /** Fails on behalf of the given backend. */
  public FaultySemaphoreBackend(SemaphoreBackend backend) {
    super(backend);
  }

  /** Has the next acquires and releases carried out and then fail with NETWORK_TIMEOUT. */
  public void loseReplies(int count) {
    repliesToLose.set(count);
  }

  /** Has the next acquires and releases fail with SERVICE_UNAVAILABLE and change nothing. */
  public void refuse(int count) {
    operationsToRefuse.set(count);
  }

  /** Has no waiter be told of its grant from now on. */
  public void loseHints() {
    losesHints = true;
  }

  /** Has all that changes the store fail with SERVICE_UNAVAILABLE until it is reconnected. */
  public void cutOff() {
    cutOff = true;
  }

  /** Ends {@link #cutOff}. */
  public void reconnect() {
    cutOff = false;
  }

  /** Returns how many heartbeats were asked for. */
  public int heartbeats() {
    return heartbeats.get();
  }

  @Override
  public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
    return faulty(() -> super.acquire(request, signal));
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    return faulty(() -> super.release(permit, timeout));
  }

  @Override
  public List<PermitState> ping(Heartbeat heartbeat) {
    heartbeats.incrementAndGet();
    refuseIf(cutOff);
    return super.ping(heartbeat);
  }

  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    return super.watch(
        waiter,
        () -> {
          if (!losesHints) {
            hint.run();
          }
        });
  }

  private <T> T faulty(Supplier<T> operation) {
    refuseIf(cutOff || takeOne(operationsToRefuse));
    T result = operation.get();
    if (takeOne(repliesToLose)) {
      throw SyncGuardException.withUnknownOutcome(
          Code.NETWORK_TIMEOUT, "Reply lost by the test", SyncGuardException.Context.NONE, null);
    }
    return result;
  }

  private static void refuseIf(boolean refused) {
    if (refused) {
      throw new SyncGuardException(Code.SERVICE_UNAVAILABLE, "Refused by the test");
    }
  }

  private static boolean takeOne(AtomicInteger remaining) {
    return remaining.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }
}
