package io.syncguard.spi;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Runs a blocking backend's operations in an executor. */
final class OffloadedSemaphoreBackend implements AsyncSemaphoreBackend {

  private final SemaphoreBackend blocking;
  private final Executor executor;

  OffloadedSemaphoreBackend(SemaphoreBackend blocking, Executor executor) {
    this.blocking = blocking;
    this.executor = executor;
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(PermitRequest request, CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.acquire(request, signal));
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout) {
    return Stages.offload(executor, () -> blocking.release(permit, timeout));
  }

  @Override
  public CompletionStage<List<PermitState>> ping(Heartbeat heartbeat) {
    return Stages.offload(executor, () -> blocking.ping(heartbeat));
  }

  @Override
  public CompletionStage<Boolean> resize(ResourceKey name, int limit, CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.resize(name, limit, signal));
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(ResourceKey name, CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.stats(name, signal));
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(CancelSignal signal) {
    return Stages.offload(executor, () -> blocking.stats(signal));
  }
}
