package io.syncguard.testkit.fault;

import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.ClockSkew;
import io.syncguard.spi.Finding;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.spi.Workers;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * A store with a decoration between it and its user: every operation passes through the decoration,
 * and everything else is forwarded. The backends are the store's own, so an operation that a test
 * puts to one of them directly does not pass.
 */
public class DecoratedStore implements Store {

  private final Store store;
  private final OperationExecutor operations;

  /** Passes operations through the decoration; closing this closes the store. */
  public DecoratedStore(Store store, UnaryOperator<OperationExecutor> decoration) {
    this.store = store;
    this.operations = decoration.apply(store);
  }

  /** Returns the same store for one of several users: closing this leaves the store open. */
  public static DecoratedStore keptOpen(Store store) {
    return new DecoratedStore(store, UnaryOperator.identity()) {
      @Override
      public void close() {}
    };
  }

  /**
   * Returns a store that answers every operation in the thread that asks, before {@link #execute}
   * returns, so that a test that moves time sees the effect at once. Not for tests with waiters: a
   * hint may come in a thread that the answer needs.
   */
  public static DecoratedStore inPlace(Store store, UnaryOperator<OperationExecutor> decoration) {
    return new DecoratedStore(store, next -> decoration.apply(new InPlace(next))) {
      @Override
      public Optional<Workers> workers() {
        return Optional.empty();
      }
    };
  }

  /** Returns the store with other locks for all that is no operation, such as watches. */
  public static DecoratedStore withLocks(Store store, UnaryOperator<LockBackend> decoration) {
    LockBackend locks = decoration.apply(store.locks());
    return new DecoratedStore(store, UnaryOperator.identity()) {
      @Override
      public LockBackend locks() {
        return locks;
      }
    };
  }

  /** Returns the store with other semaphores for all that is no operation, which is watches. */
  public static DecoratedStore withSemaphores(
      Store store, UnaryOperator<SemaphoreBackend> decoration) {
    SemaphoreBackend semaphores = decoration.apply(store.semaphores());
    return new DecoratedStore(store, UnaryOperator.identity()) {
      @Override
      public SemaphoreBackend semaphores() {
        return semaphores;
      }
    };
  }

  @Override
  public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
    return operations.execute(operation, call);
  }

  @Override
  public Optional<Workers> workers() {
    return store.workers();
  }

  @Override
  public LockBackend locks() {
    return store.locks();
  }

  @Override
  public SemaphoreBackend semaphores() {
    return store.semaphores();
  }

  @Override
  public SecretBackend secrets() {
    return store.secrets();
  }

  @Override
  public LimitBackend limits() {
    return store.limits();
  }

  @Override
  public Optional<ClockSkew> measureClockSkew() {
    return store.measureClockSkew();
  }

  @Override
  public Scan<RawLockInfo> scanLocks() {
    return store.scanLocks();
  }

  @Override
  public Scan<SemaphoreStats> scanSemaphores() {
    return store.scanSemaphores();
  }

  @Override
  public List<Finding> examine() {
    return store.examine();
  }

  @Override
  public void setupSchema() {
    store.setupSchema();
  }

  @Override
  public void close() {
    store.close();
  }

  private record InPlace(OperationExecutor next) implements OperationExecutor {

    @Override
    public <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
      CompletionStage<A> answer = next.execute(operation, call);
      answer.handle((value, failure) -> true).toCompletableFuture().join();
      return answer;
    }
  }
}
