package io.syncguard.testkit.fault;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Semaphores that forward everything to others, for tests that change what is no operation; see
 * {@link DecoratedStore#withSemaphores}. A change of an operation is an {@link Interception}.
 */
public class ForwardingSemaphores implements SemaphoreBackend {

  private final SemaphoreBackend semaphores;

  /** Forwards to these semaphores. */
  public ForwardingSemaphores(SemaphoreBackend semaphores) {
    this.semaphores = semaphores;
  }

  @Override
  public CompletionStage<PermitState> confirm(SemaphoreOperation.Confirm confirm, Call call) {
    return semaphores.confirm(confirm, call);
  }

  @Override
  public Optional<Watch> watch(PermitReference waiter, WaiterHints<PermitAttempt.Held> hints) {
    return semaphores.watch(waiter, hints);
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(SemaphoreOperation.Acquire acquire, Call call) {
    return semaphores.acquire(acquire, call);
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(
      SemaphoreOperation.Release release, Call call) {
    return semaphores.release(release, call);
  }

  @Override
  public CompletionStage<List<PermitState>> ping(SemaphoreOperation.Ping ping, Call call) {
    return semaphores.ping(ping, call);
  }

  @Override
  public CompletionStage<Boolean> resize(SemaphoreOperation.Resize resize, Call call) {
    return semaphores.resize(resize, call);
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(
      SemaphoreOperation.Stats question, Call call) {
    return semaphores.stats(question, call);
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(
      SemaphoreOperation.AllStats question, Call call) {
    return semaphores.stats(question, call);
  }
}
