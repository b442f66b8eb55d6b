package io.syncguard.semaphore;

import io.syncguard.CancelSignal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The operations of {@link FairSemaphore} for callers that must not block. Every method returns at
 * once, also for bad arguments: a failure completes the stage with the {@link
 * io.syncguard.SyncGuardException} that the blocking method would throw. Thread-safe.
 *
 * <p>Continuations run in threads that may block: see {@link
 * io.syncguard.GuardOptions#withExecutor}.
 */
public interface AsyncFairSemaphore {

  /** Waits for a permit without a thread, for as long as the options say. */
  CompletionStage<Permit> acquire();

  /**
   * Waits for a permit without a thread; see {@link FairSemaphore#acquire(Duration)}. Cancelling
   * the stage's {@link CompletableFuture} leaves the queue, as a {@link CancelSignal} does.
   */
  CompletionStage<Permit> acquire(Duration maxWait);

  /** Makes a single attempt: succeeds only if a slot is free and the queue is empty. */
  CompletionStage<Optional<Permit>> tryAcquire();

  /** Tells whether an attempt would have to wait. For information only. */
  CompletionStage<Boolean> isLocked();

  /** Tells how the semaphore is used. For information only. */
  CompletionStage<SemaphoreStats> stats();

  /** Changes the limit, for all processes; see {@link FairSemaphore#resize}. */
  CompletionStage<Boolean> resize(int newLimit);
}
