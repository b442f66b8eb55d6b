package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation under way, to be reported when it is over.
 *
 * @param <R> the reasons for which it may not do what was asked
 */
abstract class Operation<R> {

  private final long startedAt = System.nanoTime();

  /** Has the event made and delivered. */
  abstract void report(
      LockEvent.Result result, @Nullable R reason, @Nullable Code errorCode, Duration elapsed);

  final void succeeded() {
    report(LockEvent.Result.OK, null, null, elapsed());
  }

  final void failed(@Nullable R reason) {
    report(LockEvent.Result.FAIL, reason, null, elapsed());
  }

  final void threw(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    Code code = cause instanceof SyncGuardException e ? e.code() : Code.INTERNAL;
    report(LockEvent.Result.FAIL, null, code, elapsed());
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startedAt);
  }

  /** Runs the operation and reports what came of it. */
  final <T> T observe(Supplier<T> action, BiConsumer<Operation<R>, T> outcome) {
    T result;
    try {
      result = action.get();
    } catch (RuntimeException | Error e) {
      threw(e);
      throw e;
    }
    outcome.accept(this, result);
    return result;
  }

  /**
   * Returns at once, and reports what comes of the stage. The caller learns of the result after the
   * event was noted, so that events are in order.
   */
  final <T> CompletionStage<T> observe(
      CompletionStage<T> stage, BiConsumer<Operation<R>, T> outcome) {
    CompletableFuture<T> observed = new CompletableFuture<>();
    stage.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            outcome.accept(this, result);
            observed.complete(result);
          } else {
            threw(failure);
            observed.completeExceptionally(failure);
          }
        });
    return observed;
  }
}
