package io.syncguard.limit;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.internal.Gate;
import io.syncguard.spi.RateRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Allows so many in a time, across all processes: in any time at most the rate times that time plus
 * the burst, by the store's clock. Thread-safe.
 *
 * <p>All methods block while the store answers; {@link #async()} has the same without blocking.
 * They fail with a {@link SyncGuardException}: INVALID_ARGUMENT for more permits than the burst,
 * ABORTED when the thread is interrupted (the interrupt flag stays set), others as the store fails.
 * Nothing is repeated: after a failure that {@linkplain SyncGuardException#isOutcomeUnknown may
 * have} been carried out, permits may have been used up.
 */
public final class RateLimiter {

  private final RateLimiters limiters;
  private final Rate rate;
  private final CancelSignal signal;
  private final AsyncRateLimiter async;

  RateLimiter(RateLimiters limiters, Rate rate, CancelSignal signal) {
    this.limiters = limiters;
    this.rate = rate;
    this.signal = signal;
    this.async = new AsyncRateLimiter(limiters, rate, signal);
  }

  /** Returns the limiter's name, raw, after NFC. */
  public String name() {
    return rate.name().value();
  }

  /** Returns the same limiter, whose operations fail with ABORTED once the signal is cancelled. */
  public RateLimiter cancelledBy(CancelSignal signal) {
    return new RateLimiter(limiters, rate, signal);
  }

  /** Returns the same limiter for callers that must not block. */
  public AsyncRateLimiter async() {
    return async;
  }

  /** Blocks for a single attempt to get one permit. */
  public RateDecision tryAcquire() {
    return tryAcquire(1);
  }

  /** Blocks for a single attempt to get so many permits, all or none; at most the burst. */
  public RateDecision tryAcquire(long permits) {
    return attempt(rate.request(permits));
  }

  private RateDecision attempt(RateRequest request) {
    limiters.gate().throwIfAborted(signal);
    return limiters.backend().acquire(request, signal);
  }

  private RateDecision attempt(RateRequest request, RateWait wait) {
    limiters.entrance().throwIfClosed();
    return attempt(request.within(wait.attemptTime()));
  }

  /** Blocks until there is one permit; see {@link #acquire(long, Duration)}. */
  public void acquire(Duration maxWait) {
    acquire(1, maxWait);
  }

  /**
   * Blocks until there are so many permits; at most the burst. Who waits has no place in a queue:
   * when the time has come the store is asked again, and somebody else may have been faster.
   *
   * @throws SyncGuardException with code ACQUISITION_TIMEOUT as soon as it is known that there will
   *     be none within the time
   */
  public void acquire(long permits, Duration maxWait) {
    RateRequest request = rate.request(permits);
    RateWait wait = new RateWait(limiters.time(), maxWait);
    Semaphore wakeUps = new Semaphore(0);
    try (CancelSignal.Registration cancelled = signal.onCancel(wakeUps::release);
        CancelSignal.Registration closed = limiters.closing().onCancel(wakeUps::release)) {
      while (attempt(request, wait) instanceof RateDecision.Limited limited) {
        limiters.time().await(wakeUps, wait.nanosFor(limited));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Gate.interrupted();
    }
  }
}
