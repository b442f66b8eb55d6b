package io.syncguard.internal.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.Subject;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.semaphore.Semaphores;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The semaphores of a guard. */
public final class StoreSemaphores implements Semaphores {

  private final SemaphoreEngine engine;

  /** The semaphores that this engine works for. */
  public StoreSemaphores(SemaphoreEngine engine) {
    this.engine = engine;
  }

  @Override
  public FairSemaphore get(String name, int limit, SemaphoreOptions options) {
    return new StoreSemaphore(
        engine, new Terms(ResourceKey.of(name), limit, options), CancelSignal.never());
  }

  @Override
  public Optional<SemaphoreStats> stats(String name) {
    ResourceKey resource =
        engine
            .operations()
            .check(Subject.ofSemaphore(null, null), "stats", () -> ResourceKey.of(name));
    return engine.operations().await(new SemaphoreOperation.Stats(resource), Call.plain());
  }

  @Override
  public List<SemaphoreStats> stats() {
    return engine.operations().await(new SemaphoreOperation.AllStats(), Call.plain());
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> statsAsync() {
    return engine
        .guard()
        .continuations()
        .handOut(() -> engine.operations().begin(new SemaphoreOperation.AllStats(), Call.plain()));
  }
}
