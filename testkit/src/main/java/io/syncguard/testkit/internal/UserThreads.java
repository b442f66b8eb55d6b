package io.syncguard.testkit.internal;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;

/** Threads that a test gives a guard for continuations. */
public final class UserThreads implements Executor, AutoCloseable {

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final ExecutorService executor;

  /** So many of them. */
  public UserThreads(int count) {
    this.executor =
        Executors.newFixedThreadPool(
            count,
            task -> {
              Thread thread = new Thread(task, "a thread of the user's");
              threads.add(thread);
              return thread;
            });
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Returns whether this is one of these threads. */
  public boolean has(Thread thread) {
    return threads.contains(thread);
  }

  /**
   * Begins an operation and asserts that a continuation of it runs in one of these threads, or in
   * the caller's if the operation was over at once.
   */
  public <T> T continues(Supplier<CompletionStage<T>> operation) {
    return continues(operation, () -> {});
  }

  /** The same, with something that the operation waits for and that happens once it has begun. */
  public <T> T continues(Supplier<CompletionStage<T>> operation, Runnable afterBeginning) {
    Thread caller = Thread.currentThread();
    CompletionStage<T> begun = operation.get();
    CompletionStage<Thread> continued = begun.handle((value, failure) -> Thread.currentThread());
    afterBeginning.run();
    Thread ran = continued.toCompletableFuture().join();
    if (ran != caller) {
      Assertions.assertThat(threads).contains(ran);
    }
    return begun.toCompletableFuture().join();
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
