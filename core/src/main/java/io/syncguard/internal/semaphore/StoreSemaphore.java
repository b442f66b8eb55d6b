package io.syncguard.internal.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.internal.waiting.BlockingWait;
import io.syncguard.semaphore.AsyncFairSemaphore;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** A semaphore of a guard, for callers that may block. */
final class StoreSemaphore implements FairSemaphore {

  private final SemaphoreEngine engine;
  private final Terms terms;
  private final CancelSignal signal;
  private final AsyncFairSemaphore async;

  StoreSemaphore(SemaphoreEngine engine, Terms terms, CancelSignal signal) {
    this.engine = engine;
    this.terms = terms;
    this.signal = signal;
    this.async = new StoreAsyncSemaphore(engine, terms, signal);
  }

  @Override
  public String name() {
    return terms.name().value();
  }

  @Override
  public int limit() {
    return terms.limit();
  }

  @Override
  public FairSemaphore cancelledBy(CancelSignal signal) {
    return new StoreSemaphore(
        engine, terms, Objects.requireNonNull(signal, "The signal must not be null"));
  }

  @Override
  public AsyncFairSemaphore async() {
    return async;
  }

  @Override
  public Permit acquire() {
    return acquire(terms.options().maxWait());
  }

  @Override
  public Permit acquire(Duration maxWait) {
    return BlockingWait.await(new PermitWait(engine, terms, maxWait, signal));
  }

  @Override
  public Optional<Permit> tryAcquire() {
    engine.holdings().begin();
    try {
      return attempt();
    } finally {
      engine.holdings().end();
    }
  }

  private Optional<Permit> attempt() {
    SemaphoreOperation.Acquire acquire = terms.newAttempt();
    engine
        .operations()
        .pass(acquire.subject(), acquire.label(), () -> engine.entrance().throwIfAborted(signal));
    long requestedAt = engine.time().nanoTime();
    PermitAttempt attempt;
    try {
      attempt = engine.operations().await(acquire, Call.of(signal));
    } catch (RuntimeException e) {
      throw engine.abandon(e, acquire.permit(), terms.options().heartbeatTimeout());
    }
    return engine.result(attempt, acquire.permit(), terms, requestedAt);
  }

  @Override
  public SemaphoreStats stats() {
    return terms.orUnused(
        engine.operations().await(new SemaphoreOperation.Stats(terms.name()), Call.of(signal)));
  }

  @Override
  public boolean resize(int newLimit) {
    boolean inUse = engine.operations().await(engine.resize(terms, newLimit), Call.of(signal));
    terms.resized(newLimit);
    return inUse;
  }

  @Override
  public String toString() {
    return "FairSemaphore[name=" + terms.name().label() + ", limit=" + terms.limit() + "]";
  }
}
