package io.syncguard.testkit.fault;

import io.syncguard.spi.LockBackend;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store with something between it and its user. */
public final class DecoratedStore implements Store {

  private final Store store;
  private final LockBackend locks;
  private final UnaryOperator<SemaphoreBackend> semaphoreDecoration;
  private final boolean closesStore;
  private @Nullable SemaphoreBackend semaphores;

  /** Puts the decoration between a store's locks and their user. */
  public DecoratedStore(Store store, UnaryOperator<LockBackend> decoration) {
    this(store, decoration, UnaryOperator.identity(), true);
  }

  private DecoratedStore(
      Store store,
      UnaryOperator<LockBackend> decoration,
      UnaryOperator<SemaphoreBackend> semaphoreDecoration,
      boolean closesStore) {
    this.store = store;
    this.locks = decoration.apply(store.locks());
    this.semaphoreDecoration = semaphoreDecoration;
    this.closesStore = closesStore;
  }

  /** Puts the decoration between a store's semaphores and their user. */
  public static DecoratedStore withSemaphores(
      Store store, UnaryOperator<SemaphoreBackend> decoration) {
    return new DecoratedStore(store, UnaryOperator.identity(), decoration, true);
  }

  /** As the constructor, for a store that several share: closing this leaves it open. */
  public static DecoratedStore keptOpen(Store store, UnaryOperator<LockBackend> decoration) {
    return new DecoratedStore(store, decoration, UnaryOperator.identity(), false);
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public synchronized SemaphoreBackend semaphores() {
    SemaphoreBackend present = semaphores;
    if (present == null) {
      present = semaphoreDecoration.apply(store.semaphores());
      semaphores = present;
    }
    return present;
  }

  @Override
  public void close() {
    if (closesStore) {
      store.close();
    }
  }
}
