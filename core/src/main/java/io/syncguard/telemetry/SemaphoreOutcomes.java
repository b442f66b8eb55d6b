package io.syncguard.telemetry;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitState;
import io.syncguard.telemetry.SemaphoreEvent.Reason;
import java.util.List;
import java.util.Optional;

/** What the result of each operation on a semaphore means for its event. */
final class SemaphoreOutcomes {

  private SemaphoreOutcomes() {}

  static void acquired(Operation<Reason> operation, PermitAttempt attempt) {
    if (attempt instanceof PermitAttempt.Held) {
      operation.succeeded();
    } else if (attempt instanceof PermitAttempt.Waiting) {
      operation.failed(Reason.QUEUED);
    } else if (attempt instanceof PermitAttempt.Busy) {
      operation.failed(Reason.BUSY);
    } else {
      operation.failed(Reason.LIMIT_DIFFERS);
    }
  }

  static void released(Operation<Reason> operation, PermitReleaseResult result) {
    if (result == PermitReleaseResult.NOT_FOUND) {
      operation.failed(Reason.NOT_FOUND);
    } else {
      operation.succeeded();
    }
  }

  static void pinged(Operation<Reason> operation, List<PermitState> states) {
    if (states.contains(PermitState.GONE)) {
      operation.failed(Reason.LOST);
    } else {
      operation.succeeded();
    }
  }

  static void resized(Operation<Reason> operation, boolean inUse) {
    if (inUse) {
      operation.succeeded();
    } else {
      operation.failed(Reason.NOT_FOUND);
    }
  }

  static void found(Operation<Reason> operation, Optional<SemaphoreStats> stats) {
    resized(operation, stats.isPresent());
  }

  static void listed(Operation<Reason> operation, List<SemaphoreStats> stats) {
    operation.succeeded();
  }
}
