package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import io.syncguard.lock.RawLockInfo;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.limit.LimitBackend;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.secret.SecretBackend;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A store that processes coordinate through. It makes single, atomic attempts and nothing else.
 * Thread-safe.
 */
public interface Store extends OperationExecutor, AutoCloseable {

  /** Carries an operation out on the backend that knows it. */
  @Override
  default <A> CompletionStage<A> execute(Operation<A> operation, Call call) {
    return operation.on(this, call);
  }

  /**
   * Returns the threads in which callers are served who must not block; empty if no operation of
   * this store blocks. With workers, operations block the thread that asks until they are answered.
   */
  default Optional<Workers> workers() {
    return Optional.empty();
  }

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

  /**
   * Returns at once a walk through the live locks.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store cannot list them
   */
  default Scan<RawLockInfo> scanLocks() {
    throw SyncGuardException.invalidArgument("Listing locks is not supported by this store");
  }

  /**
   * Returns at once a walk through the semaphores that have holders or waiters.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if this store cannot list them
   */
  default Scan<SemaphoreStats> scanSemaphores() {
    throw SyncGuardException.invalidArgument("Listing semaphores is not supported by this store");
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
