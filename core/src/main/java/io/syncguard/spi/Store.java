package io.syncguard.spi;

import io.syncguard.SyncGuardException;

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

  /** Blocks while connections that this store opened are closed; later calls do nothing. */
  @Override
  void close();
}
