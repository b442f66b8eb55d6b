package io.syncguard.internal.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.internal.waiting.AsyncWait;
import io.syncguard.semaphore.AsyncFairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A semaphore of a guard, for callers that must not block. */
final class StoreAsyncSemaphore implements AsyncFairSemaphore {

  private final SemaphoreEngine engine;
  private final Terms terms;
  private final CancelSignal signal;

  StoreAsyncSemaphore(SemaphoreEngine engine, Terms terms, CancelSignal signal) {
    this.engine = engine;
    this.terms = terms;
    this.signal = signal;
  }

  @Override
  public CompletionStage<Permit> acquire() {
    return acquire(terms.options().maxWait());
  }

  @Override
  public CompletionStage<Permit> acquire(Duration maxWait) {
    return engine
        .guard()
        .continuations()
        .handOutAcquired(
            () -> AsyncWait.start(new PermitWait(engine, terms, maxWait, signal)),
            StoreAsyncSemaphore::giveBack);
  }

  @Override
  public CompletionStage<Optional<Permit>> tryAcquire() {
    return engine
        .guard()
        .continuations()
        .handOutAcquired(
            () -> engine.holdings().during(this::attempting),
            got -> got.ifPresent(StoreAsyncSemaphore::giveBack));
  }

  private CompletableFuture<Optional<Permit>> attempting() {
    SemaphoreOperation.Acquire acquire = terms.newAttempt();
    engine
        .operations()
        .pass(acquire.subject(), acquire.label(), () -> engine.entrance().throwIfCancelled(signal));
    long requestedAt = engine.time().nanoTime();
    CompletableFuture<Optional<Permit>> result = new CompletableFuture<>();
    engine
        .operations()
        .begin(acquire, Call.of(signal))
        .whenComplete(
            (attempt, failure) -> {
              if (failure != null) {
                result.completeExceptionally(
                    engine.abandon(failure, acquire.permit(), terms.options().heartbeatTimeout()));
                return;
              }
              try {
                Optional<Permit> acquired =
                    engine.result(attempt, acquire.permit(), terms, requestedAt);
                if (!result.complete(acquired)) {
                  acquired.ifPresent(StoreAsyncSemaphore::giveBack);
                }
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static void giveBack(Permit unwanted) {
    ((HeldPermit) unwanted).giveBack();
  }

  @Override
  public CompletionStage<Boolean> isLocked() {
    return engine
        .guard()
        .continuations()
        .handOut(() -> asking().thenApply(SemaphoreStats::isLocked));
  }

  @Override
  public CompletionStage<SemaphoreStats> stats() {
    return engine.guard().continuations().handOut(this::asking);
  }

  private CompletionStage<SemaphoreStats> asking() {
    return engine
        .operations()
        .begin(new SemaphoreOperation.Stats(terms.name()), Call.of(signal))
        .thenApply(terms::orUnused);
  }

  @Override
  public CompletionStage<Boolean> resize(int newLimit) {
    return engine
        .guard()
        .continuations()
        .handOut(
            () ->
                engine
                    .operations()
                    .begin(engine.resize(terms, newLimit), Call.of(signal))
                    .thenApply(
                        inUse -> {
                          terms.resized(newLimit);
                          return inUse;
                        }));
  }
}
