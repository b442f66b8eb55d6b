package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The blocking operations of a store whose own are asynchronous: each waits for its stage. The
 * stages must complete by themselves in the end, and at once when the signal is cancelled.
 */
public abstract class AwaitingSemaphoreBackend implements SemaphoreBackend {

  private final AsyncSemaphoreBackend async;

  /** Blocks for the given operations. */
  protected AwaitingSemaphoreBackend(AsyncSemaphoreBackend async) {
    this.async = async;
  }

  @Override
  public final AsyncSemaphoreBackend async() {
    return async;
  }

  @Override
  public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
    return Stages.await(async.acquire(request, signal));
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    return Stages.await(async.release(permit, timeout));
  }

  @Override
  public List<PermitState> ping(Heartbeat heartbeat) {
    return Stages.await(async.ping(heartbeat));
  }

  @Override
  public boolean resize(ResourceKey name, int limit, CancelSignal signal) {
    return Stages.await(async.resize(name, limit, signal));
  }

  @Override
  public Optional<SemaphoreStats> stats(ResourceKey name, CancelSignal signal) {
    return Stages.await(async.stats(name, signal));
  }

  @Override
  public List<SemaphoreStats> stats(CancelSignal signal) {
    return Stages.await(async.stats(signal));
  }
}
