package io.syncguard.testkit.fault;

import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Finding;
import io.syncguard.spi.LimitBackend;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Scan;
import io.syncguard.spi.SecretBackend;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store with something between it and its user. */
public final class DecoratedStore implements Store {

  private final Store store;
  private final LockBackend locks;
  private final Decorated<SemaphoreBackend> semaphores;
  private final Decorated<SecretBackend> secrets;
  private final Decorated<LimitBackend> limits;
  private final boolean closesStore;

  /** Puts the decoration between a store's locks and their user. */
  public DecoratedStore(Store store, UnaryOperator<LockBackend> decoration) {
    this(
        store,
        decoration,
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        true);
  }

  private DecoratedStore(
      Store store,
      UnaryOperator<LockBackend> locks,
      UnaryOperator<SemaphoreBackend> semaphores,
      UnaryOperator<SecretBackend> secrets,
      UnaryOperator<LimitBackend> limits,
      boolean closesStore) {
    this.store = store;
    this.locks = locks.apply(store.locks());
    this.semaphores = new Decorated<>(store::semaphores, semaphores);
    this.secrets = new Decorated<>(store::secrets, secrets);
    this.limits = new Decorated<>(store::limits, limits);
    this.closesStore = closesStore;
  }

  /** Puts the decoration between a store's semaphores and their user. */
  public static DecoratedStore withSemaphores(
      Store store, UnaryOperator<SemaphoreBackend> decoration) {
    return new DecoratedStore(
        store,
        UnaryOperator.identity(),
        decoration,
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        true);
  }

  /** Puts the decoration between a store's secrets and their user. */
  public static DecoratedStore withSecrets(Store store, UnaryOperator<SecretBackend> decoration) {
    return new DecoratedStore(
        store,
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        decoration,
        UnaryOperator.identity(),
        true);
  }

  /** Puts the decoration between a store's counters and rate limiters and their user. */
  public static DecoratedStore withLimits(Store store, UnaryOperator<LimitBackend> decoration) {
    return new DecoratedStore(
        store,
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        decoration,
        true);
  }

  /** As the constructor, for a store that several share: closing this leaves it open. */
  public static DecoratedStore keptOpen(Store store, UnaryOperator<LockBackend> decoration) {
    return new DecoratedStore(
        store,
        decoration,
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        false);
  }

  @Override
  public LockBackend locks() {
    return locks;
  }

  @Override
  public SemaphoreBackend semaphores() {
    return semaphores.get();
  }

  @Override
  public SecretBackend secrets() {
    return secrets.get();
  }

  @Override
  public LimitBackend limits() {
    return limits.get();
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
    if (closesStore) {
      store.close();
    }
  }

  /** A backend that a store may not have, decorated when it is first asked for. */
  private static final class Decorated<B> {

    private final Supplier<B> backend;
    private final UnaryOperator<B> decoration;
    private @Nullable B made;

    Decorated(Supplier<B> backend, UnaryOperator<B> decoration) {
      this.backend = backend;
      this.decoration = decoration;
    }

    synchronized B get() {
      B present = made;
      if (present == null) {
        present = decoration.apply(backend.get());
        made = present;
      }
      return present;
    }
  }
}
