package io.syncguard.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the user has of a stage that is not complete yet: it completes where continuations run, so
 * that the user's code runs nowhere else. A thread that blocks for it has the outcome as soon as it
 * is there, and needs no other thread for it: it may itself be the last one that runs
 * continuations.
 */
final class HandedOut<T> extends CompletableFuture<T> {

  /** What the stage came to, unless the user completed the future before. */
  private record Outcome<T>(boolean isWanted, @Nullable T value, @Nullable Throwable failure) {}

  private final CompletableFuture<Outcome<T>> arrived = new CompletableFuture<>();
  private final AtomicBoolean delivered = new AtomicBoolean();
  private final Consumer<? super T> giveBack;
  private final Runnable unwanted;

  private HandedOut(Consumer<? super T> giveBack, Runnable unwanted) {
    this.giveBack = giveBack;
    this.unwanted = unwanted;
  }

  /**
   * Hands a stage out.
   *
   * @param giveBack takes the value if the user completed the future before it came
   * @param unwanted runs when the user completes the future before the stage is complete, and
   *     before any continuation of the user's learns of that
   */
  static <T> CompletableFuture<T> of(
      CompletionStage<T> stage,
      Continuations continuations,
      Consumer<? super T> giveBack,
      Runnable unwanted) {
    HandedOut<T> handedOut = new HandedOut<>(giveBack, unwanted);
    stage.whenComplete(
        (value, failure) -> {
          if (handedOut.arrived.complete(new Outcome<>(true, value, failure))) {
            continuations.execute(handedOut::deliver);
          } else if (failure == null) {
            giveBack.accept(value);
          }
        });
    return handedOut;
  }

  /** Completes this with what has arrived, once. */
  private void deliver() {
    Outcome<T> outcome = arrived.join();
    if (!outcome.isWanted() || !delivered.compareAndSet(false, true)) {
      return;
    }
    if (outcome.failure() != null) {
      super.completeExceptionally(unwrapped(outcome.failure()));
    } else if (!super.complete(outcome.value())) {
      giveBack.accept(outcome.value());
    }
  }

  @Override
  public boolean complete(@Nullable T value) {
    refuseWhatComes();
    return super.complete(value);
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    refuseWhatComes();
    return super.completeExceptionally(failure);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    refuseWhatComes();
    return super.cancel(mayInterruptIfRunning);
  }

  private void refuseWhatComes() {
    if (arrived.complete(new Outcome<>(false, null, null))) {
      unwanted.run();
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  @Override
  public T join() {
    arrived.join();
    deliver();
    return super.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    arrived.get();
    deliver();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    arrived.get(timeout, unit);
    deliver();
    return super.get();
  }
}
