package io.syncguard.internal.limit;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.AttemptTime;
import io.syncguard.internal.GuardContext;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One caller's wait for permits: what to ask, how long to sleep, when to give up. */
final class RateWait {

  private final RateTerms terms;
  private final LimitOperation.Take take;
  private final Duration maxWait;
  private final long startedAt;
  private final long deadline;

  RateWait(RateTerms terms, LimitOperation.Take take, Duration maxWait) {
    this.terms = terms;
    this.take = take;
    this.maxWait = maxWait;
    this.startedAt = guard().time().nanoTime();
    this.deadline = startedAt + TimeSource.saturatedNanos(maxWait);
  }

  GuardContext guard() {
    return terms.guard();
  }

  CancelSignal signal() {
    return terms.signal();
  }

  /** Returns what to ask the store. */
  LimitOperation.Take take() {
    return take;
  }

  /** Returns how long the store may take to answer what it is asked now. */
  Call call() {
    return Call.of(signal()).within(AttemptTime.within(maxWait, nanosLeft()));
  }

  /** Passes unless the guard takes no acquisitions any more, or this one was called off. */
  void pass(Runnable entrance) {
    guard().operations().pass(take.subject(), take.label(), entrance);
  }

  /** Returns how long to sleep; fails if the wait would be over before there is a permit. */
  long nanosFor(RateDecision.Limited limited) {
    long nanos = limited.retryAfter().toNanos();
    if (nanos > nanosLeft()) {
      throw new SyncGuardException(
          Code.ACQUISITION_TIMEOUT,
          "The rate limiter "
              + take.name().label()
              + " has no permit for another "
              + limited.retryAfter()
              + ", longer than what is left of the wait of "
              + maxWait,
          take.subject(),
          null);
    }
    return nanos;
  }

  private long nanosLeft() {
    return deadline - guard().time().nanoTime();
  }

  /** Reports that the wait is over, without a failure if it is allowed. */
  void reportEnd(@Nullable Throwable failure) {
    guard().waited(take.subject(), failure, startedAt);
  }
}
