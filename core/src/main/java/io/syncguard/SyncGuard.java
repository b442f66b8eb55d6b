package io.syncguard;

import io.syncguard.lock.Locks;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.SemaphoreOptions;
import io.syncguard.semaphore.Semaphores;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import org.jspecify.annotations.Nullable;

/**
 * The door: coordinates processes through one store. Open one for the life of the application,
 * share it between threads, close it at the end. Thread-safe.
 */
public final class SyncGuard implements AutoCloseable {

  private static final String EMBEDDED = "sqlite:";

  private final Store store;
  private final GuardOptions options;
  private final Locks locks;
  private @Nullable Semaphores semaphores;

  private SyncGuard(Store store, GuardOptions options) {
    this.store = store;
    this.options = options;
    LockBackend backend = store.locks();
    this.locks =
        new Locks(options.telemetry().map(t -> t.observe(backend)).orElse(backend), options);
  }

  /**
   * Opens the embedded store, a SQLite file at a place of this user's that the store's guide names;
   * blocks while it is opened. Processes of this user on this machine share it.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the module {@code syncguard-sql} is
   *     not on the class path
   */
  public static SyncGuard open() {
    return open(EMBEDDED);
  }

  /** Opens the store that the URI names, such as {@code memory:}; may block while it connects. */
  public static SyncGuard open(String uri) {
    return open(uri, GuardOptions.defaults());
  }

  /**
   * Opens the store that the URI names; may block while it connects.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if no store on the class path has its
   *     scheme
   */
  public static SyncGuard open(String uri, GuardOptions options) {
    return over(StoreProvider.openStore(uri, options.timeSource()), options);
  }

  /** Returns at once a guard over a store that was opened before, and that closing it closes. */
  public static SyncGuard over(Store store) {
    return over(store, GuardOptions.defaults());
  }

  /** Returns at once a guard over a store that was opened before, and that closing it closes. */
  public static SyncGuard over(Store store, GuardOptions options) {
    return new SyncGuard(store, options);
  }

  /** Returns at once the locks of the store. */
  public Locks locks() {
    return locks;
  }

  /**
   * Returns at once the semaphores of the store.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the store has none
   */
  public synchronized Semaphores semaphores() {
    Semaphores present = semaphores;
    if (present == null) {
      SemaphoreBackend backend = store.semaphores();
      present =
          new Semaphores(options.telemetry().map(t -> t.observe(backend)).orElse(backend), options);
      semaphores = present;
    }
    return present;
  }

  /** Returns at once the semaphore of this name, with the default options. */
  public FairSemaphore semaphore(String name, int limit) {
    return semaphore(name, limit, SemaphoreOptions.defaults());
  }

  /**
   * Returns at once the semaphore of this name, without asking the store.
   *
   * @param limit how many may hold a permit at a time; the same in every process
   */
  public FairSemaphore semaphore(String name, int limit, SemaphoreOptions options) {
    return semaphores().get(name, limit, options);
  }

  /**
   * Blocks while the store is closed; later calls do nothing. Whoever waits for a lock or a permit
   * fails; what is still held stays so until it expires, so close handles and permits first.
   */
  @Override
  public void close() {
    locks.close();
    synchronized (this) {
      if (semaphores != null) {
        semaphores.close();
      }
    }
    store.close();
  }
}
