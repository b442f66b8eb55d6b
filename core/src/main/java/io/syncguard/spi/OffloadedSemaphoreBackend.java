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
  private final Offloading threads;

  OffloadedSemaphoreBackend(SemaphoreBackend blocking, Executor executor, Duration timeout) {
    this.blocking = blocking;
    this.threads = new Offloading(executor, timeout);
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(PermitRequest request, CancelSignal signal) {
    return threads.offload(
        request.timeout(), signal, left -> blocking.acquire(request.within(left), signal));
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout) {
    return threads.offload(timeout, CancelSignal.never(), left -> blocking.release(permit, left));
  }

  @Override
  public CompletionStage<List<PermitState>> ping(Heartbeat heartbeat) {
    return threads.offload(CancelSignal.never(), () -> blocking.ping(heartbeat));
  }

  @Override
  public CompletionStage<Boolean> resize(ResourceKey name, int limit, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.resize(name, limit, signal));
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(ResourceKey name, CancelSignal signal) {
    return threads.offload(signal, () -> blocking.stats(name, signal));
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(CancelSignal signal) {
    return threads.offload(signal, () -> blocking.stats(signal));
  }
}
