package io.syncguard.internal.operation;

import io.syncguard.Subject;
import io.syncguard.internal.Gate;
import io.syncguard.internal.telemetry.Events;
import io.syncguard.internal.telemetry.ReportingExecutor;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.spi.Workers;
import io.syncguard.telemetry.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one place between the primitives of a guard and its store: every operation passes through it,
 * and none does once the guard is closed. Here a store that blocks serves callers who must not, one
 * that does not block serves callers who may, and what happens is reported. Thread-safe.
 */
public final class Operations {

  private final OperationExecutor inThisThread;
  private final OperationExecutor elsewhere;
  private final Gate gate;
  private final @Nullable Events events;

  /** Lets operations pass while the gate is open. */
  public Operations(Store store, Gate gate, @Nullable Events events) {
    this.gate = gate;
    this.events = events;
    this.inThisThread = reporting(store);
    @Nullable Workers workers = store.workers().orElse(null);
    this.elsewhere =
        workers == null ? inThisThread : reporting(new OffloadingExecutor(store, workers));
  }

  private OperationExecutor reporting(OperationExecutor executor) {
    return events == null ? executor : new ReportingExecutor(executor, events);
  }

  /** Blocks until the operation is answered; throws what it failed with. */
  public <A> A await(Operation<A> operation, Call call) {
    try {
      if (call.isInterruptible()) {
        gate.throwIfAborted(call.signal());
      } else {
        gate.throwIfClosed();
      }
    } catch (RuntimeException e) {
      refused(operation, e);
      throw e;
    }
    CompletionStage<A> answer = inThisThread.execute(operation, call);
    return answer instanceof CompletableFuture<A> future && isAnswered(future)
        ? future.join()
        : Answers.await(answer, operation.subject());
  }

  private static boolean isAnswered(CompletableFuture<?> future) {
    return future.isDone() && !future.isCompletedExceptionally();
  }

  /** Begins the operation and returns at once; never throws. */
  public <A> CompletionStage<A> begin(Operation<A> operation, Call call) {
    try {
      gate.throwIfCancelled(call.signal());
    } catch (RuntimeException e) {
      refused(operation, e);
      return CompletableFuture.failedFuture(e);
    }
    try {
      return elsewhere.execute(operation, call);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void refused(Operation<?> operation, RuntimeException failure) {
    if (events != null) {
      events.failed(operation, failure, Duration.ZERO);
    }
  }

  /** Returns what is made of the arguments of an operation; reports a refusal of them. */
  public <T> T check(Subject about, String label, Supplier<T> arguments) {
    try {
      return arguments.get();
    } catch (RuntimeException e) {
      if (events != null) {
        events.refused(about, label, e);
      }
      throw e;
    }
  }

  /** Passes unless the gate throws, which is reported. */
  public void pass(Subject about, String label, Runnable gate) {
    check(
        about,
        label,
        () -> {
          gate.run();
          return about;
        });
  }

  /** Reports an operation that is not begun, because there is nothing to do it on any more. */
  public void refused(Subject about, String label, Reason reason) {
    if (events != null) {
      events.refused(about, label, reason);
    }
  }
}
