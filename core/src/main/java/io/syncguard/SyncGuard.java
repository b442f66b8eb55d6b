package io.syncguard;

import io.syncguard.lock.Locks;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;

/**
 * The door: coordinates processes through one store. Open one for the life of the application,
 * share it between threads, close it at the end. Thread-safe.
 */
public final class SyncGuard implements AutoCloseable {

  private static final String EMBEDDED = "sqlite:";

  private final Store store;
  private final Locks locks;

  private SyncGuard(Store store, GuardOptions options) {
    this.store = store;
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
   * Blocks while the store is closed; later calls do nothing. Whoever waits for a lock fails; a
   * lock that is still held stays so until it expires, so close handles first.
   */
  @Override
  public void close() {
    locks.close();
    store.close();
  }
}
