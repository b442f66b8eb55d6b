package io.syncguard.spi;

import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store in memory that notes its operations, and some of whose operations a test answers. */
public final class AnsweringStore implements Store {

  private final Store memory;
  private final Function<Operation<?>, @Nullable CompletionStage<?>> answers;
  private final List<Operation<?>> asked = new CopyOnWriteArrayList<>();

  /** A store whose memory answers what the test answers with null. */
  public AnsweringStore(
      TimeSource time, Function<Operation<?>, @Nullable CompletionStage<?>> answers) {
    this.memory = StoreProvider.openStore("memory:", time);
    this.answers = answers;
  }

  /** Returns the operations that reached this store. */
  public List<Operation<?>> asked() {
    return List.copyOf(asked);
  }

  @Override
  @SuppressWarnings("unchecked") // The test answers what the operation asks.
  public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
    asked.add(operation);
    CompletionStage<?> answer = answers.apply(operation);
    return answer == null ? memory.execute(operation, call) : (CompletionStage<A>) answer;
  }

  @Override
  public LockBackend locks() {
    return memory.locks();
  }

  @Override
  public SemaphoreBackend semaphores() {
    return memory.semaphores();
  }

  @Override
  public SecretBackend secrets() {
    return memory.secrets();
  }

  @Override
  public LimitBackend limits() {
    return memory.limits();
  }

  @Override
  public void close() {
    memory.close();
  }
}
