package io.syncguard.internal.telemetry;

import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reports every operation, with what came of it. */
public final class ReportingExecutor implements OperationExecutor {

  private final OperationExecutor next;
  private final Events events;

  /** Reports what the next executor carries out. */
  public ReportingExecutor(OperationExecutor next, Events events) {
    this.next = next;
    this.events = events;
  }

  /** The caller learns of the answer after the event was noted, so that events are in order. */
  @Override
  public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
    long startedAt = System.nanoTime();
    CompletionStage<A> stage;
    try {
      stage = next.execute(operation, call);
    } catch (RuntimeException | Error e) {
      events.failed(operation, e, since(startedAt));
      throw e;
    }
    CompletableFuture<A> observed = new CompletableFuture<>();
    stage.whenComplete(
        (answer, failure) -> {
          if (failure == null) {
            events.answered(operation, operation.outcome(answer), since(startedAt));
            observed.complete(answer);
          } else {
            events.failed(operation, failure, since(startedAt));
            observed.completeExceptionally(failure);
          }
        });
    return observed;
  }

  private static Duration since(long startedAt) {
    return Duration.ofNanos(System.nanoTime() - startedAt);
  }
}
