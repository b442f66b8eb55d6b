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
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.SemaphoreBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A backend whose operations are reported. */
final class ObservedSemaphoreBackend implements SemaphoreBackend {

  private final SemaphoreBackend backend;
  private final SemaphoreEvents events;
  private final AsyncSemaphoreBackend async;

  ObservedSemaphoreBackend(SemaphoreBackend backend, SemaphoreEvents events) {
    this.backend = backend;
    this.events = events;
    this.async = new ObservedAsyncSemaphoreBackend(backend.async(), events);
  }

  @Override
  public AsyncSemaphoreBackend async() {
    return async;
  }

  @Override
  public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
    return events
        .begin(SemaphoreEvent.Type.ACQUIRE, request.permit())
        .observe(() -> backend.acquire(request, signal), SemaphoreOutcomes::acquired);
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    return events
        .begin(SemaphoreEvent.Type.RELEASE, permit)
        .observe(() -> backend.release(permit, timeout), SemaphoreOutcomes::released);
  }

  @Override
  public List<PermitState> ping(Heartbeat heartbeat) {
    return events
        .begin(SemaphoreEvent.Type.PING, heartbeat.name(), heartbeat.permits().size())
        .observe(() -> backend.ping(heartbeat), SemaphoreOutcomes::pinged);
  }

  @Override
  public boolean resize(ResourceKey name, int limit, CancelSignal signal) {
    return events
        .begin(SemaphoreEvent.Type.RESIZE, name, 0)
        .observe(() -> backend.resize(name, limit, signal), SemaphoreOutcomes::resized);
  }

  @Override
  public Optional<SemaphoreStats> stats(ResourceKey name, CancelSignal signal) {
    return events
        .begin(SemaphoreEvent.Type.STATS, name, 0)
        .observe(() -> backend.stats(name, signal), SemaphoreOutcomes::found);
  }

  @Override
  public List<SemaphoreStats> stats(CancelSignal signal) {
    return events
        .begin(SemaphoreEvent.Type.STATS, null, 0)
        .observe(() -> backend.stats(signal), SemaphoreOutcomes::listed);
  }

  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    return backend.watch(waiter, hint);
  }
}
