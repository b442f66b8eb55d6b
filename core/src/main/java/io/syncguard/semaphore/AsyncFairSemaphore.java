package io.syncguard.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
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
public final class AsyncFairSemaphore {

  private final SemaphoreEngine engine;
  private final Terms terms;
  private final CancelSignal signal;

  AsyncFairSemaphore(SemaphoreEngine engine, Terms terms, CancelSignal signal) {
    this.engine = engine;
    this.terms = terms;
    this.signal = signal;
  }

  /** Waits for a permit without a thread, for as long as the options say. */
  public CompletionStage<Permit> acquire() {
    return acquire(terms.options().maxWait());
  }

  /**
   * Waits for a permit without a thread; see {@link FairSemaphore#acquire(Duration)}. Cancelling
   * the stage's {@link CompletableFuture} leaves the queue, as a {@link CancelSignal} does.
   */
  public CompletionStage<Permit> acquire(Duration maxWait) {
    return engine
        .continuations()
        .handOutAcquired(
            () -> new AsyncPermitWait(engine, terms, maxWait, signal).start(), Permit::releasing);
  }

  /** Makes a single attempt: succeeds only if a slot is free and nobody is queued. */
  public CompletionStage<Optional<Permit>> tryAcquire() {
    return engine
        .continuations()
        .handOutAcquired(
            () -> engine.holdings().during(this::attempting),
            got -> got.ifPresent(Permit::releasing));
  }

  private CompletableFuture<Optional<Permit>> attempting() {
    engine.entrance().throwIfCancelled(signal);
    PermitReference permit = new PermitReference(terms.name(), PermitId.random());
    long requestedAt = engine.time().nanoTime();
    CompletableFuture<Optional<Permit>> result = new CompletableFuture<>();
    engine
        .backend()
        .async()
        .acquire(terms.request(permit), signal)
        .whenComplete(
            (attempt, failure) -> {
              if (failure != null) {
                result.completeExceptionally(
                    engine.abandon(failure, permit, terms.options().heartbeatTimeout()));
                return;
              }
              try {
                Optional<Permit> acquired = engine.result(attempt, permit, terms, requestedAt);
                if (!result.complete(acquired)) {
                  acquired.ifPresent(Permit::releasing);
                }
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  /** Tells whether an attempt would have to wait. For information only. */
  public CompletionStage<Boolean> locked() {
    return engine.gate().begin(signal, () -> asking().thenApply(SemaphoreStats::locked));
  }

  /** Tells how the semaphore is used. For information only. */
  public CompletionStage<SemaphoreStats> stats() {
    return engine.gate().begin(signal, this::asking);
  }

  private CompletionStage<SemaphoreStats> asking() {
    return engine.backend().async().stats(terms.name(), signal).thenApply(terms::orUnused);
  }

  /** Changes the limit, for everybody; see {@link FairSemaphore#resize}. */
  public CompletionStage<Boolean> resize(int newLimit) {
    return engine
        .continuations()
        .handOut(
            () -> {
              Terms.checkedLimit(newLimit);
              engine.gate().throwIfCancelled(signal);
              return engine
                  .backend()
                  .async()
                  .resize(terms.name(), newLimit, signal)
                  .thenApply(
                      inUse -> {
                        terms.resized(newLimit);
                        return inUse;
                      });
            });
  }
}
