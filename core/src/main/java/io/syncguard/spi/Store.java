package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import java.util.List;

/**
 * A store that processes coordinate through. It makes single, atomic attempts and nothing else.
 * Thread-safe.
 */
public interface Store extends AutoCloseable {

  /** Returns the store's locks, always the same object. */
  LockBackend locks();

  /**
   * Returns the store's semaphores, always the same object.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store has none
   */
  default SemaphoreBackend semaphores() {
    throw SyncGuardException.invalidArgument(
        "This store has no semaphores; use one that has, such as memory:");
  }

  /**
   * Returns the store's secrets, always the same object.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store has none
   */
  default SecretBackend secrets() {
    throw SyncGuardException.invalidArgument(
        "This store has no secrets; use one that has, such as memory:");
  }

  /**
   * Returns the store's counters and rate limiters, always the same object.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store has none
   */
  default LimitBackend limits() {
    throw SyncGuardException.invalidArgument(
        "This store has no counters and rate limiters; use one that has, such as memory:");
  }

  /**
   * Returns at once a walk through the live locks.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store cannot list them
   */
  default Scan<RawLockInfo> scanLocks() {
    throw SyncGuardException.invalidArgument("This store cannot list its locks");
  }

  /**
   * Returns at once a walk through the semaphores that anybody holds or waits for.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store cannot list them
   */
  default Scan<SemaphoreStats> scanSemaphores() {
    throw SyncGuardException.invalidArgument("This store cannot list its semaphores");
  }

  /**
   * Blocks while the store is asked what it is and how it is set up, to tell whether it is fit for
   * this. Changes nothing.
   *
   * @throws SyncGuardException if it cannot be asked
   */
  default List<Finding> examine() {
    return List.of();
  }

  /**
   * Blocks while the tables, or whatever else this store needs, are created where they are missing;
   * does nothing if it needs none.
   *
   * @throws SyncGuardException with code AUTH_FAILED if the user may not create them
   */
  default void setupSchema() {}

  /** Blocks while connections that this store opened are closed; later calls do nothing. */
  @Override
  void close();
}
