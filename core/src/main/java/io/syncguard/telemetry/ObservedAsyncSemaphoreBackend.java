package io.syncguard.telemetry;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AsyncSemaphoreBackend;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** An asynchronous backend whose operations are reported. */
final class ObservedAsyncSemaphoreBackend implements AsyncSemaphoreBackend {

  private final AsyncSemaphoreBackend backend;
  private final SemaphoreEvents events;

  ObservedAsyncSemaphoreBackend(AsyncSemaphoreBackend backend, SemaphoreEvents events) {
    this.backend = backend;
    this.events = events;
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(PermitRequest request, CancelSignal signal) {
    Operation<SemaphoreEvent.Reason> operation =
        events.begin(SemaphoreEvent.Type.ACQUIRE, request.permit());
    return operation.observe(backend.acquire(request, signal), SemaphoreOutcomes::acquired);
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout) {
    Operation<SemaphoreEvent.Reason> operation = events.begin(SemaphoreEvent.Type.RELEASE, permit);
    return operation.observe(backend.release(permit, timeout), SemaphoreOutcomes::released);
  }

  @Override
  public CompletionStage<List<PermitState>> ping(Heartbeat heartbeat) {
    Operation<SemaphoreEvent.Reason> operation =
        events.begin(SemaphoreEvent.Type.PING, heartbeat.name(), heartbeat.permits().size());
    return operation.observe(backend.ping(heartbeat), SemaphoreOutcomes::pinged);
  }

  @Override
  public CompletionStage<Boolean> resize(ResourceKey name, int limit, CancelSignal signal) {
    Operation<SemaphoreEvent.Reason> operation = events.begin(SemaphoreEvent.Type.RESIZE, name, 0);
    return operation.observe(backend.resize(name, limit, signal), SemaphoreOutcomes::resized);
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(ResourceKey name, CancelSignal signal) {
    Operation<SemaphoreEvent.Reason> operation = events.begin(SemaphoreEvent.Type.STATS, name, 0);
    return operation.observe(backend.stats(name, signal), SemaphoreOutcomes::found);
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(CancelSignal signal) {
    Operation<SemaphoreEvent.Reason> operation = events.begin(SemaphoreEvent.Type.STATS, null, 0);
    return operation.observe(backend.stats(signal), SemaphoreOutcomes::listed);
  }
}
