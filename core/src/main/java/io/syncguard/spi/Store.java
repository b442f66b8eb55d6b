package io.syncguard.spi;

/**
 * A store that processes coordinate through. It makes single, atomic attempts and nothing else.
 * Thread-safe.
 */
public interface Store extends AutoCloseable {

  /** Returns the store's locks, always the same object. */
  LockBackend locks();

  /** Blocks while connections that this store opened are closed; later calls do nothing. */
  @Override
  void close();
}
