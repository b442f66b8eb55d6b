package io.syncguard.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.GuardOptions;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.SemaphoreBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The fair semaphores of a store. Thread-safe. */
public final class Semaphores {

  private final SemaphoreEngine engine;

  /** Makes the semaphores of one store. Usually {@code SyncGuard.semaphores()} gives them. */
  public Semaphores(SemaphoreBackend backend, GuardOptions options) {
    this.engine = new SemaphoreEngine(backend, options);
  }

  /**
   * Returns the semaphore at once, without asking the store.
   *
   * @param limit how many may hold a permit at a time; the same in every process
   * @throws SyncGuardException with code INVALID_ARGUMENT for a limit below 1, or a name that is
   *     empty, longer than 512 bytes or not valid Unicode
   */
  public FairSemaphore get(String name, int limit, SemaphoreOptions options) {
    return new FairSemaphore(
        engine, new Terms(ResourceKey.of(name), limit, options), CancelSignal.never());
  }

  /** Blocks while the store looks how a semaphore is used; empty if nobody holds it or waits. */
  public Optional<SemaphoreStats> stats(String name) {
    ResourceKey resource = ResourceKey.of(name);
    engine.gate().throwIfAborted(CancelSignal.never());
    return engine.backend().stats(resource, CancelSignal.never());
  }

  /** Blocks while the store looks how all semaphores are used that anybody holds or waits for. */
  public List<SemaphoreStats> stats() {
    engine.gate().throwIfAborted(CancelSignal.never());
    return engine.backend().stats(CancelSignal.never());
  }

  /** Tells how all semaphores are used that anybody holds or waits for; returns at once. */
  public CompletionStage<List<SemaphoreStats>> statsAsync() {
    CancelSignal never = CancelSignal.never();
    return engine.gate().begin(never, () -> engine.backend().async().stats(never));
  }

  /**
   * Returns at once; for the guard that made these semaphores. Nothing can be acquired any more,
   * waiting ends, and what its holder has not released within the time is released. The stage
   * completes when that is done. Then comes {@link #close()}.
   */
  public CompletionStage<Void> close(Duration timeForTasks) {
    return engine.close(timeForTasks);
  }

  /**
   * Returns at once; for the guard that made these semaphores. Nothing can be acquired any more and
   * waiting ends, but what is held stays so. The stage completes when all who waited have left the
   * queue. Then comes {@link #close()}.
   */
  public CompletionStage<Void> endWaits() {
    return engine.endWaits();
  }

  /** Ends all background work; for the guard that made these semaphores. */
  public void close() {
    engine.close();
  }
}
