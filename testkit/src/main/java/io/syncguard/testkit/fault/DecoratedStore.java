package io.syncguard.testkit.fault;

import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Store;
import java.util.function.UnaryOperator;

/** A store with something between it and its user. */
public final class DecoratedStore implements Store {

  private final Store store;
  private final LockBackend locks;
  private final boolean closesStore;

  /** Puts the decoration between a store and its user. */
  public DecoratedStore(Store store, UnaryOperator<LockBackend> decoration) {
    this(store, decoration, true);
  }

  private DecoratedStore(Store store, UnaryOperator<LockBackend> decoration, boolean closesStore) {
    this.store = store;
    this.locks = decoration.apply(store.locks());
    this.closesStore = closesStore;
  }

  /** As the constructor, for a store that several share: closing this leaves it open. */
  public static DecoratedStore keptOpen(Store store, UnaryOperator<LockBackend> decoration) {
    return new DecoratedStore(store, decoration, false);
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public void close() {
    if (closesStore) {
      store.close();
    }
  }
}
