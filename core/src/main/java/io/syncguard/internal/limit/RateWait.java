package io.syncguard.internal.limit;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.internal.waiting.Wait;
import io.syncguard.limit.RateDecision;
import io.syncguard.spi.Operation;
import io.syncguard.spi.limit.LimitOperation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One caller's wait for a rate limiter: asks, sleeps as long as the store says, asks again. */
final class RateWait extends Wait<RateDecision, RateDecision.Allowed, RateDecision.Allowed> {

  private final LimitOperation.Take take;

  RateWait(RateTerms terms, LimitOperation.Take take, Duration maxWait) {
    super(terms.guard(), terms.signal(), maxWait);
    this.take = take;
  }

  @Override
  protected Subject subject() {
    return take.subject();
  }

  @Override
  protected Operation<RateDecision> question(boolean last) {
    return take;
  }

  @Override
  protected RateDecision.@Nullable Allowed read(RateDecision answer) {
    if (answer instanceof RateDecision.Limited limited) {
      if (limited.retryAfter().toNanos() > nanosLeft()) {
        throw tooLong(limited);
      }
      askAgainIn(limited.retryAfter().toNanos());
      return null;
    }
    return (RateDecision.Allowed) answer;
  }

  private SyncGuardException tooLong(RateDecision.Limited limited) {
    return new SyncGuardException(
        Code.ACQUISITION_TIMEOUT,
        "The rate limiter "
            + take.name().label()
            + " has no permit for another "
            + limited.retryAfter()
            + ", longer than what is left of the wait of "
            + maxWait(),
        take.subject(),
        null);
  }

  /** What was taken in doubt must not be taken again. */
  @Override
  protected boolean isWorthAskingAgain(SyncGuardException failure, int failures) {
    return false;
  }

  /** A limiter tells of no grants. */
  @Override
  protected RateDecision.@Nullable Allowed begin(RateDecision.Allowed grant, long keptUntil) {
    return null;
  }

  @Override
  protected long grantNanos() {
    return 0;
  }

  @Override
  protected long pauseNanos(int failures) {
    return 0;
  }

  /** What was allowed cannot be given back. */
  @Override
  protected boolean needsAnswer() {
    return false;
  }

  @Override
  protected void gaveUp() {}

  @Override
  protected void giveBack(RateDecision.Allowed got) {}
}
