package io.syncguard.semaphore;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import java.time.Duration;
import java.util.Optional;

/**
 * At most so many hold a permit of this name at a time, across all processes, and whoever came
 * first is served first. The dead lose their slot and their place in the queue. Thread-safe.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT when the name is in use with
 * another limit, ABORTED when the thread is interrupted (the interrupt flag stays set), others as
 * the store fails.
 */
public final class FairSemaphore {

  private final SemaphoreEngine engine;
  private final Terms terms;
  private final CancelSignal signal;
  private final AsyncFairSemaphore async;

  FairSemaphore(SemaphoreEngine engine, Terms terms, CancelSignal signal) {
    this.engine = engine;
    this.terms = terms;
    this.signal = signal;
    this.async = new AsyncFairSemaphore(engine, terms, signal);
  }

  /** Returns the semaphore's name, raw, after NFC. */
  public String name() {
    return terms.name().value();
  }

  /** Returns how many may hold a permit, as far as this process knows. */
  public int limit() {
    return terms.limit();
  }

  /**
   * Returns the same semaphore, whose operations fail with ABORTED once the signal is cancelled.
   */
  public FairSemaphore cancelledBy(CancelSignal signal) {
    return new FairSemaphore(engine, terms, signal);
  }

  /** Returns the same semaphore for callers that must not block. */
  public AsyncFairSemaphore async() {
    return async;
  }

  /**
   * Blocks until there is a permit, for as long as the options say; see {@link #acquire(Duration)}.
   */
  public Permit acquire() {
    return acquire(terms.options().maxWait());
  }

  /**
   * Blocks until there is a permit, behind everybody who came before. Passing failures of the store
   * are waited out. When the wait ends without a permit, however it ends, the place in the queue is
   * given up at once.
   *
   * @throws SyncGuardException with code ACQUISITION_TIMEOUT if there was none within the time
   */
  public Permit acquire(Duration maxWait) {
    return new BlockingPermitWait(engine, terms, maxWait, signal).await();
  }

  /**
   * Blocks for a single attempt: succeeds only if a slot is free and nobody is queued. A permit
   * that arrives when its time is over is given back, and fails with NETWORK_TIMEOUT.
   */
  public Optional<Permit> tryAcquire() {
    engine.holdings().begin();
    try {
      return attempt();
    } finally {
      engine.holdings().end();
    }
  }

  private Optional<Permit> attempt() {
    engine.entrance().throwIfAborted(signal);
    PermitReference permit = new PermitReference(terms.name(), PermitId.random());
    long requestedAt = engine.time().nanoTime();
    PermitAttempt attempt;
    try {
      attempt = engine.backend().acquire(terms.request(permit), signal);
    } catch (RuntimeException e) {
      throw engine.abandon(e, permit, terms.options().heartbeatTimeout());
    }
    return engine.result(attempt, permit, terms, requestedAt);
  }

  /** Blocks while the store looks whether an attempt would have to wait. For information only. */
  public boolean locked() {
    return stats().locked();
  }

  /** Blocks while the store looks how the semaphore is used. For information only. */
  public SemaphoreStats stats() {
    engine.gate().throwIfAborted(signal);
    return terms.orUnused(engine.backend().stats(terms.name(), signal));
  }

  /**
   * Blocks while the store changes the limit, for everybody. Permits beyond a smaller limit stay
   * valid, and one that is just being handed to the next in another process may still be; waiters
   * keep their places. From then on, whoever comes with the old limit is refused, in other
   * processes too, until they use the new one.
   *
   * @return false if nobody holds a permit or waits: the limit then is what the next one says
   */
  public boolean resize(int newLimit) {
    Terms.checkedLimit(newLimit);
    engine.gate().throwIfAborted(signal);
    boolean inUse = engine.backend().resize(terms.name(), newLimit, signal);
    terms.resized(newLimit);
    return inUse;
  }

  @Override
  public String toString() {
    return "FairSemaphore[name=" + terms.name().label() + ", limit=" + terms.limit() + "]";
  }
}
