package io.syncguard.telemetry;

import io.syncguard.counter.CounterResult;
import io.syncguard.counter.CounterState;
import io.syncguard.limit.RateDecision;
import io.syncguard.telemetry.LimitEvent.Reason;
import java.util.Optional;

/** What the result of each operation on a counter or a limiter means for its event. */
final class LimitOutcomes {

  private LimitOutcomes() {}

  static void counted(Operation<Reason> operation, CounterResult result) {
    report(operation, result.isCounted(), Reason.LIMITED);
  }

  static void found(Operation<Reason> operation, Optional<CounterState> state) {
    ended(operation, state.isPresent());
  }

  static void ended(Operation<Reason> operation, boolean found) {
    report(operation, found, Reason.NOT_FOUND);
  }

  static void decided(Operation<Reason> operation, RateDecision decision) {
    report(operation, decision.isAllowed(), Reason.LIMITED);
  }

  private static void report(Operation<Reason> operation, boolean done, Reason otherwise) {
    if (done) {
      operation.succeeded();
    } else {
      operation.failed(otherwise);
    }
  }
}
