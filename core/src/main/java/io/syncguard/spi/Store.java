package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import java.util.Optional;

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
        "Semaphores are not supported by this store; use one that has them, such as memory:");
  }

  /**
   * Returns the store's secrets, always the same object.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store has none
   */
  default SecretBackend secrets() {
    throw SyncGuardException.invalidArgument(
        "Secrets are not supported by this store; use one that has them, such as memory:");
  }

  /**
   * Returns the store's counters and rate limiters, always the same object.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store has none
   */
  default LimitBackend limits() {
    throw SyncGuardException.invalidArgument(
        "Counters and rate limiters are not supported by this store; use one that has them, such"
            + " as memory:");
  }

  /**
   * Blocks while this machine's clock is compared with the store's; empty if it does not matter,
   * because the store's own clock decides.
   *
   * @throws SyncGuardException if the store cannot be asked
   */
  default Optional<ClockSkew> measureClockSkew() {
    return Optional.empty();
  }

  /** Blocks while connections that this store opened are closed; later calls do nothing. */
  @Override
  void close();
}
