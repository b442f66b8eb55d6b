package io.syncguard.semaphore;

import io.syncguard.SyncGuardException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The fair semaphores of a store. Thread-safe. */
public interface Semaphores {

  /**
   * Returns the semaphore at once, without asking the store.
   *
   * @param limit how many may hold a permit at a time; the same in every process
   * @throws SyncGuardException with code INVALID_ARGUMENT for a limit below 1, or a name that is
   *     empty, longer than 512 bytes or not valid Unicode
   */
  FairSemaphore get(String name, int limit, SemaphoreOptions options);

  /**
   * Blocks while the store looks how a semaphore is used; empty if it has neither holders nor
   * waiters.
   */
  Optional<SemaphoreStats> stats(String name);

  /** Blocks while the store looks how all semaphores are used that have holders or waiters. */
  List<SemaphoreStats> stats();

  /** Tells how all semaphores are used that have holders or waiters; returns at once. */
  CompletionStage<List<SemaphoreStats>> statsAsync();
}
