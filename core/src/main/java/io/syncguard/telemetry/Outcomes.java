package io.syncguard.telemetry;

import io.syncguard.lock.ExtendResult;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.lock.ReleaseResult;
import io.syncguard.spi.AcquireAttempt;
import java.util.Optional;

/** What the result of each operation means for its event. */
final class Outcomes {

  private Outcomes() {}

  static void acquired(Operation<LockEvent.Reason> operation, AcquireAttempt attempt) {
    if (attempt instanceof AcquireAttempt.Granted) {
      operation.succeeded();
    } else {
      operation.failed(LockEvent.Reason.LOCKED);
    }
  }

  static void released(Operation<LockEvent.Reason> operation, ReleaseResult result) {
    switch (result) {
      case RELEASED -> operation.succeeded();
      case EXPIRED -> operation.failed(LockEvent.Reason.EXPIRED);
      case NOT_FOUND -> operation.failed(LockEvent.Reason.NOT_FOUND);
    }
  }

  /** For the release and for the acquire: nothing is reported where nothing was done. */
  static void handedOver(
      Operation<LockEvent.Reason> operation, Optional<AcquireAttempt.Granted> granted) {
    if (granted.isPresent()) {
      operation.succeeded();
    }
  }

  static void extended(Operation<LockEvent.Reason> operation, ExtendResult result) {
    if (result.isExtended()) {
      operation.succeeded();
    } else {
      operation.failed(
          result == ExtendResult.NotExtended.EXPIRED
              ? LockEvent.Reason.EXPIRED
              : LockEvent.Reason.NOT_FOUND);
    }
  }

  static void answered(Operation<LockEvent.Reason> operation, boolean yes) {
    if (yes) {
      operation.succeeded();
    } else {
      operation.failed(null);
    }
  }

  static void found(Operation<LockEvent.Reason> operation, Optional<RawLockInfo> lock) {
    answered(operation, lock.isPresent());
  }
}
