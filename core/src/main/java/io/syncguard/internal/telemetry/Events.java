package io.syncguard.internal.telemetry;

import io.syncguard.Primitive;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.spi.Operation;
import io.syncguard.spi.Outcome;
import io.syncguard.telemetry.HoldEvent;
import io.syncguard.telemetry.OperationEvent;
import io.syncguard.telemetry.Reason;
import io.syncguard.telemetry.Result;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.telemetry.WaitEvent;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Has events made and delivered; returns at once, and never throws. */
public final class Events {

  private final EventQueue queue;

  /** Tells the listener of the telemetry. */
  public Events(Telemetry telemetry) {
    this.queue = new EventQueue(telemetry);
  }

  void answered(Operation<?> operation, Outcome outcome, Duration elapsed) {
    Result result = outcome.isDone() ? Result.OK : Result.FAIL;
    report(operation, result, outcome.reason(), null, elapsed);
  }

  /** Reports an operation that failed. */
  public void failed(Operation<?> operation, Throwable failure, Duration elapsed) {
    report(operation, Result.FAIL, null, code(failure), elapsed);
  }

  private void report(
      Operation<?> operation,
      Result result,
      @Nullable Reason reason,
      @Nullable Code code,
      Duration elapsed) {
    report(operation.subject(), operation.label(), operation.ids(), result, reason, code, elapsed);
  }

  /** Reports an operation that never became one, because an argument is bad. */
  public void refused(Subject subject, String operation, Throwable failure) {
    report(subject, operation, 0, Result.FAIL, null, code(failure), Duration.ZERO);
  }

  /** Reports an operation that was not begun, because there is nothing to do it on any more. */
  public void refused(Subject subject, String operation, Reason reason) {
    report(subject, operation, 1, Result.FAIL, reason, null, Duration.ZERO);
  }

  private void report(
      Subject subject,
      String operation,
      int ids,
      Result result,
      @Nullable Reason reason,
      @Nullable Code code,
      Duration elapsed) {
    queue.add(
        primitive(subject),
        subject,
        about -> new OperationEvent(about, operation, result, reason, code, elapsed, ids));
  }

  /** Reports a wait that is over, without a failure if what was waited for was granted. */
  public void waited(Subject subject, @Nullable Throwable failure, Duration elapsed) {
    Result result = failure == null ? Result.OK : Result.FAIL;
    Code code = failure == null ? null : code(failure);
    queue.add(primitive(subject), subject, about -> new WaitEvent(about, result, code, elapsed));
  }

  /** Reports that something is held no more. */
  public void held(Subject subject, HoldEvent.End end, Duration elapsed) {
    queue.add(primitive(subject), subject, about -> new HoldEvent(about, end, elapsed));
  }

  private static Primitive primitive(Subject subject) {
    Primitive primitive = subject.primitive();
    if (primitive == null) {
      throw new IllegalArgumentException("An event is about a primitive");
    }
    return primitive;
  }

  private static Code code(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof CancellationException) {
      return Code.ABORTED;
    }
    return cause instanceof SyncGuardException e ? e.code() : Code.INTERNAL;
  }
}
