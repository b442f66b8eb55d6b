package io.syncguard.testkit.fault;

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

/**
 * Passes everything on to a backend; for tests that change one thing about it. Its asynchronous
 * operations are the blocking ones, so that a change need be made once only.
 */
public abstract class DelegatingSemaphoreBackend implements SemaphoreBackend {

  private final SemaphoreBackend backend;
  private final AsyncSemaphoreBackend async =
      AsyncSemaphoreBackend.of(this, BlockingThreads::execute);

  /** Passes on to the given backend. */
  protected DelegatingSemaphoreBackend(SemaphoreBackend backend) {
    this.backend = backend;
  }

  @Override
  public AsyncSemaphoreBackend async() {
    return async;
  }

  @Override
  public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
    return backend.acquire(request, signal);
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    return backend.release(permit, timeout);
  }

  @Override
  public List<PermitState> ping(Heartbeat heartbeat) {
    return backend.ping(heartbeat);
  }

  @Override
  public boolean resize(ResourceKey name, int limit, CancelSignal signal) {
    return backend.resize(name, limit, signal);
  }

  @Override
  public Optional<SemaphoreStats> stats(ResourceKey name, CancelSignal signal) {
    return backend.stats(name, signal);
  }

  @Override
  public List<SemaphoreStats> stats(CancelSignal signal) {
    return backend.stats(signal);
  }

  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    return backend.watch(waiter, hint);
  }
}
